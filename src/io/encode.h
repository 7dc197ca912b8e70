/* From plain structs to JSON values, by the field tables of base/field.h. The caller owns what is
 * returned; it reads back as the same value. */
#pragma once

#include "base/field.h"
#include "base/file-sink.h"

#include <json-c/json.h>

/* NULL, which is JSON's null, for a string that is absent. */
json_object *tsim_encode_value(const TsimField *field, const void *object);

/* The default of a field; NULL when it has none: it is a string, required, or depends on others
 * (the table's initial value is then outside of its range). */
json_object *tsim_encode_default(const TsimField *field);

/* A number in the shortest form that reads back the same; whole ones without a point. The second
 * writes it to text, of G_ASCII_DTOSTR_BUF_SIZE, and returns text. */
json_object *tsim_encode_real(double value);
const char *tsim_encode_real_text(double value, char *text);

void tsim_put_real(TsimFileSink *sink, double value); /* the same, into a file */
