/* Golden texts: what a writer makes of a known input, as a file that people have read. */
#pragma once

/* Compares with $TSIM_GOLDEN_DIR/name. With TSIM_UPDATE_GOLDEN set the file is written instead, to
 * be read by its author before it is committed. */
void golden_check(const char *name, const char *text);
