#pragma once

// simdjson's document model behind a C header: Swift cannot call its C++ interface.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A parser with its own memory: the padded copy of the text, and the document made of it.
typedef struct json_parser json_parser;

/// A value of the document that the parser parsed last.
typedef struct {
  const void *document;
  size_t index;
} json_value;

/// Bytes of UTF-8 in the parser's memory. They may contain zeros.
typedef struct {
  const char *bytes;
  size_t count;
} json_text;

/// A place between the members of an object or the elements of an array.
typedef struct {
  const void *document;
  size_t at, end;
  bool is_object;
} json_cursor;

typedef enum : uint8_t { json_null, json_bool, json_int, json_uint, json_double, json_string, json_array, json_object } json_kind;

typedef enum : uint8_t {
  json_parsed,
  json_too_large,
  json_too_deep,
  json_bad_utf8,
  json_bad_number,
  json_no_memory,
  json_bad_syntax
} json_outcome;

/// NULL when there is no memory. Nothing is reserved for documents yet.
json_parser *json_parser_make(size_t max_bytes, size_t max_depth);
void json_parser_free(json_parser *);
/// Copies the bytes, parses them and sets `root`. All earlier values of this parser become invalid.
json_outcome json_parse(json_parser *, const uint8_t *bytes, size_t count, json_value *root);
bool json_is_utf8(const uint8_t *bytes, size_t count);

json_kind json_kind_of(json_value);
/// Zero, false or NULL when the value is of another kind.
json_text json_text_of(json_value);
int64_t json_int_of(json_value);
uint64_t json_uint_of(json_value);
double json_double_of(json_value);
bool json_bool_of(json_value);

/// Elements or members; 0 for a scalar.
size_t json_count(json_value);
/// A cursor before the first member or element; at the end already for a scalar.
json_cursor json_open(json_value);
/// Steps over one member or element; `key` has NULL bytes in an array. False at the end.
bool json_next(json_cursor *, json_text *key, json_value *value);
/// The first member whose key has exactly these bytes.
bool json_find(json_value object, json_text key, json_value *value);

#ifdef __cplusplus
}
#endif
