/* From JSON values to plain structs, by the field tables of base/field.h.
 *
 * Nothing is clamped or guessed: a value is taken as it is or reported through its node
 * (io/json-source.h), and decoding goes on to find what else is wrong. Every function returns
 * whether all was well.
 */
#pragma once

#include "base/field.h"
#include "io/json-source.h"

/* One struct that members of a JSON object go to. */
typedef struct {
    const TsimField *fields;
    void *object;     /* has its defaults already; strings in it are freed when replaced */
    gboolean or_auto; /* the word "auto" leaves a member at its default */
} TsimDecodePart;

/* Ends a list of parts. */
#define TSIM_DECODE_END                                                                            \
    {                                                                                              \
        NULL, NULL, FALSE                                                                          \
    }

gboolean tsim_decode_value(const TsimJsonNode *node, const TsimField *field, void *object);

/* The members of an object, each into the part (parts ends with TSIM_DECODE_END) that has a field
 * of that name. others (NULL-terminated, or NULL) are further keys that the caller decodes; any
 * other key is an error. So is a required field that is missing. */
gboolean tsim_decode_object(const TsimJsonNode *node, const TsimDecodePart *parts,
                            const char *const *others);

/* "a whole number from 0 to 15 (waves)", "\"onchip\" or \"offchip\"": what a field takes. The
 * caller frees it. */
char *tsim_field_expected(const TsimField *field);

/* Reports a key that is neither in parts nor in others. */
void tsim_decode_unknown_key(const TsimJsonNode *node, const char *key, const TsimDecodePart *parts,
                             const char *const *others);

/* Single values, with the same complaints. */
gboolean tsim_decode_is(const TsimJsonNode *node, json_type type, const char *expected);
gboolean tsim_decode_real(const TsimJsonNode *node, double min, double max, double *ret_value);
gboolean tsim_decode_u32(const TsimJsonNode *node, uint32_t min, uint32_t max, uint32_t *ret_value);
