/* Reading files whole, whatever they are: a device or a pipe without an end is an error, not a
 * hang.
 *
 * Sizes are bytes. The caller frees what comes back. Errors: TSIM_ERROR_IO, TSIM_ERROR_INPUT for a
 * file that is too large.
 */
#pragma once

#include <glib.h>
#include <stdio.h>

/* The largest file that is read whole. */
#define TSIM_FILE_BYTES_MAX (256u << 20)

/* What the stream has, up to one byte more than `most`. ferror(stream) tells whether that is all.
 */
GString *tsim_stream_read(FILE *stream, size_t most);

/* what: "mesh", for the message. A byte of 0, which does not count, follows the contents. */
gboolean tsim_file_read(const char *path, const char *what, char **ret_data, gsize *ret_bytes,
                        GError **error);
