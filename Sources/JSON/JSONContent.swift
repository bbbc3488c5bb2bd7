import CSimdJSON

/// What a value is and holds, to switch over; valid as long as the value that it came from.
package enum JSONContent {
  case null
  case bool(Bool)
  /// A number without fraction and exponent that fits `Int64`.
  case int(Int64)
  /// A number without fraction and exponent above `Int64.max` that fits `UInt64`.
  case uint(UInt64)
  /// A number with a fraction or an exponent.
  case double(Double)
  /// The bytes of a string without escapes, valid UTF-8.
  case string(UnsafeRawBufferPointer)
  case array(JSONArray)
  case object(JSONObject)
}

extension JSONValue {
  /// What the value is and holds.
  package var content: JSONContent {
    switch kind {
    case .null: .null
    case .bool: .bool(json_bool_of(raw))
    case .int: .int(json_int_of(raw))
    case .uint: .uint(json_uint_of(raw))
    case .double: .double(json_double_of(raw))
    case .string: .string(UnsafeRawBufferPointer(json_text_of(raw)))
    case .array: .array(JSONArray(value: self))
    case .object: .object(JSONObject(value: self))
    }
  }
}
