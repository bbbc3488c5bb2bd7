#include "CSimdJSON.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <simdjson.h>
#include <type_traits>

using namespace simdjson;

struct json_parser {
  dom::parser parser;
  std::unique_ptr<uint8_t[]> text;
  size_t capacity = 0;
  size_t max_bytes, max_depth;

  json_parser(size_t bytes, size_t depth) : parser(bytes), max_bytes(bytes), max_depth(depth) {}

  // Grows by doubling from 4 KiB: most connections never send more, and a parser takes about ten bytes for each byte of text.
  error_code reserve(size_t count) {
    if (count <= capacity && capacity > 0) return SUCCESS;
    size_t wanted = std::max<size_t>(4096, capacity);
    while (wanted < count) wanted = wanted > max_bytes / 2 ? max_bytes : wanted * 2;
    capacity = 0;
    text.reset(new (std::nothrow) uint8_t[wanted + SIMDJSON_PADDING]);
    if (!text) return MEMALLOC;
    if (auto error = parser.doc.allocate(wanted)) return error;
    // One level more, because simdjson refuses a document that reaches its bound; see is_deeper.
    if (auto error = parser.allocate(wanted, max_depth + 1)) return error;
    capacity = wanted;
    return SUCCESS;
  }
};

// Values and places cross to Swift as plain words: each is a document and an index into its tape.
template <typename To, typename From>
static To cast(const From &from) {
  static_assert(sizeof(To) == sizeof(From) && sizeof(To) == 2 * sizeof(size_t), "a document and an index");
  static_assert(std::is_trivially_copyable<To>::value && std::is_trivially_copyable<From>::value, "nothing but words");
  To to;
  std::memcpy(static_cast<void *>(&to), static_cast<const void *>(&from), sizeof to);
  return to;
}

static dom::element element(json_value value) { return cast<dom::element>(value); }
static json_value value(dom::element element) { return cast<json_value>(element); }

template <typename T>
static T get(json_value v) {
  T result{};
  if (element(v).get(result)) return T{};
  return result;
}

template <typename Container>
static json_cursor cursor(const Container &container, bool is_object) {
  auto begin = cast<json_value>(container.begin()), end = cast<json_value>(container.end());
  return {begin.document, begin.index, end.index, is_object};
}

static json_outcome outcome(error_code error) {
  switch (error) {
    case SUCCESS: return json_parsed;
    case CAPACITY: return json_too_large;
    case DEPTH_ERROR: return json_too_deep;
    case NUMBER_ERROR: case NUMBER_OUT_OF_RANGE: return json_bad_number;
    case MEMALLOC: return json_no_memory;
    default: return json_bad_syntax;
  }
}

// simdjson does not count a container without members, so one may stand a level too deep. The text is a valid document.
static bool is_deeper(const uint8_t *bytes, size_t count, size_t max_depth) {
  auto opens = [](uint8_t byte) { return byte == '[' || byte == '{'; };
  if (static_cast<size_t>(std::count_if(bytes, bytes + count, opens)) <= max_depth) return false;
  size_t depth = 0;
  bool in_text = false;
  for (size_t at = 0; at < count; ++at) {
    uint8_t byte = bytes[at];
    if (byte == '"') in_text = !in_text;
    else if (in_text) at += byte == '\\';
    else if (opens(byte) && ++depth > max_depth) return true;
    else if (byte == ']' || byte == '}') --depth;
  }
  return false;
}

extern "C" {

json_parser *json_parser_make(size_t max_bytes, size_t max_depth) { return new (std::nothrow) json_parser(max_bytes, max_depth); }

void json_parser_free(json_parser *parser) { delete parser; }

json_outcome json_parse(json_parser *p, const uint8_t *bytes, size_t count, json_value *root) {
  if (count > p->max_bytes) return json_too_large;
  if (count == 0) return json_bad_syntax;
  // Later versions of simdjson skip a byte order mark; RFC 8259 §8.1 lets a parser refuse it, so all versions do.
  if (count >= 3 && std::memcmp(bytes, "\xEF\xBB\xBF", 3) == 0) return json_bad_syntax;
  if (auto error = p->reserve(count)) return outcome(error);
  std::memcpy(p->text.get(), bytes, count);
  std::memset(p->text.get() + count, 0, SIMDJSON_PADDING);
  dom::element parsed;
  auto error = p->parser.parse(p->text.get(), count, false).get(parsed);
  if (!error) {
    if (is_deeper(bytes, count, p->max_depth)) return json_too_deep;
    *root = value(parsed);
    return json_parsed;
  }
  // The first error that simdjson meets hides bad UTF-8 behind it, and that one decides how a connection is closed.
  return validate_utf8(reinterpret_cast<const char *>(bytes), count) ? outcome(error) : json_bad_utf8;
}

bool json_is_utf8(const uint8_t *bytes, size_t count) {
  return count == 0 || validate_utf8(reinterpret_cast<const char *>(bytes), count);
}

json_kind json_kind_of(json_value v) {
  switch (element(v).type()) {
    case dom::element_type::NULL_VALUE: return json_null;
    case dom::element_type::BOOL: return json_bool;
    case dom::element_type::INT64: return json_int;
    case dom::element_type::UINT64: return json_uint;
    case dom::element_type::DOUBLE: return json_double;
    case dom::element_type::STRING: return json_string;
    case dom::element_type::ARRAY: return json_array;
    case dom::element_type::OBJECT: return json_object;
  }
  return json_null;
}

json_text json_text_of(json_value v) {
  auto text = get<std::string_view>(v);
  return {text.data(), text.size()};
}

int64_t json_int_of(json_value v) { return get<int64_t>(v); }
uint64_t json_uint_of(json_value v) { return get<uint64_t>(v); }
double json_double_of(json_value v) { return get<double>(v); }
bool json_bool_of(json_value v) { return get<bool>(v); }

size_t json_count(json_value v) {
  // simdjson keeps 24 bits of the count.
  constexpr size_t saturated = 0xFFFFFF;
  size_t count = 0;
  dom::array array;
  dom::object object;
  if (!element(v).get(array)) count = array.size();
  else if (!element(v).get(object)) count = object.size();
  if (count < saturated) return count;
  count = 0;
  json_text key;
  json_value next;
  for (auto at = json_open(v); json_next(&at, &key, &next);) ++count;
  return count;
}

json_cursor json_open(json_value v) {
  dom::array array;
  dom::object object;
  if (!element(v).get(object)) return cursor(object, true);
  if (!element(v).get(array)) return cursor(array, false);
  return {nullptr, 0, 0, false};
}

bool json_next(json_cursor *at, json_text *key, json_value *next) {
  if (at->at >= at->end) return false;
  json_value here{at->document, at->at};
  if (at->is_object) {
    auto iterator = cast<dom::object::iterator>(here);
    auto name = iterator.key();
    *key = {name.data(), name.size()};
    *next = value(iterator.value());
    at->at = cast<json_value>(++iterator).index;
  } else {
    auto iterator = cast<dom::array::iterator>(here);
    *key = {nullptr, 0};
    *next = value(*iterator);
    at->at = cast<json_value>(++iterator).index;
  }
  return true;
}

bool json_find(json_value v, json_text key, json_value *found) {
  dom::object object;
  if (element(v).get(object)) return false;
  std::string_view wanted(key.bytes, key.count);
  for (auto member : object) {
    if (member.key == wanted) {
      *found = value(member.value);
      return true;
    }
  }
  return false;
}

}
