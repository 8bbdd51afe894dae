import Testing

@testable import SchemaFormats

@Suite struct `A Contrail JSON file that cannot be read` {
  @Test(arguments: [
    ("", "1:1: expected a value, found the end of the text"),
    ("[]", "1:1: expected an object with a schema, found an array"),
    ("{}", "1:1: expected the key \"contrail\" in a schema, found none"),
    ("{\"contrail\": \"1\"}", "1:14: expected an integer of 64 bits, found the string \"1\""),
    (
      "{\"contrail\": 2, \"kind\": \"objects\"}",
      "1:14: expected version 1 of Contrail JSON, found version 2, which this release does not know"
    ),
    ("{\"contrail\": 1}", "1:1: expected the key \"kind\" in a schema, found none"),
    (
      "{\"contrail\": 1,\n \"kind\": \"things\"}",
      "2:10: expected one of objects, records, found \"things\""
    ),
    (
      "{\"contrail\": 1, \"kind\": \"records\", \"entities\": {}}",
      "1:36: expected one of $schema, contrail, kind, roles, types, found the key \"entities\""
    ),
    (
      "{\"contrail\": 1, \"contrail\": 1}",
      "1:17: expected a key that the object does not have yet, found the same key again"
    ),
  ])
  func `says what is wrong with its head`(text: String, message: String) {
    #expect(failure(text) == "schema.json:" + message)
  }

  @Test(arguments: [
    ("{\"A\": 1}", "expected an object, found the number 1"),
    ("{\"A\": {\"abstract\": 1}}", "expected true or false, found the number 1"),
    ("{\"A\": {\"parent\": null}}", "expected a string, found null"),
    ("{\"A\": {\"naturalKey\": \"a\"}}", "expected an array, found the string \"a\""),
    ("{\"A\": {\"naturalKey\": [1.5]}}", "expected a string, found the number 1.5"),
    ("{\"A\": {\"userInfo\": {\"a\": true}}}", "expected a string, found a truth value"),
    (
      "{\"e\u{301}\": {}, \"\u{e9}\": {}}",
      "expected each name once, found \"\u{e9}\" a second time"
    ),
    (
      "{\"A\": {\"attributes\": {\"a\": {}}}}",
      "expected the key \"type\" in attribute, found none"
    ),
    (
      "{\"A\": {\"relationships\": {\"a\": {\"destination\": \"B\", \"deleteRule\": \"Deny\"}}}}",
      "expected one of noAction, nullify, cascade, deny, found \"Deny\""
    ),
    (
      "{\"A\": {\"relationships\": {\"a\": {\"destination\": \"B\", \"minimum\": 0.5}}}}",
      "expected an integer, found the number 0.5"
    ),
    (
      "{\"A\": {\"indexes\": {\"a\": {\"elements\": [{}]}}}}",
      "expected one of property and expression, found neither"
    ),
    (
      "{\"A\": {\"indexes\": {\"a\": {\"elements\": [{\"property\": \"a\", \"expression\": \"b\"}]}}}}",
      "expected one of property and expression, found both"
    ),
    (
      "{\"A\": {\"fetchedProperties\": {\"a\": {\"optional\": true}}}}",
      "expected the key \"entity\" in fetched property, found none"
    ),
    (
      "{\"A\": {\"fetchedProperties\": {\"a\": {\"entityName\": \"A\"}}}}",
      "expected one of optional, request, entity, predicate, found the key \"entityName\""
    ),
  ])
  func `says what is wrong with an entity`(entities: String, message: String) {
    let found = failure("{\"contrail\": 1, \"kind\": \"objects\", \"entities\": \(entities)}")
    #expect(found.split(separator: ": ", maxSplits: 1).last.map(String.init) == message)
  }

  @Test(arguments: [
    ("boolean", "1", "expected true or false, found the number 1"),
    ("integer64", "1.5", "expected an integer of 64 bits, found the number 1.5"),
    ("integer64", "9223372036854775808", "expected an integer of 64 bits, found a number"),
    ("double", "\"1\"", "expected a number, found the string \"1\""),
    ("decimal", "1.5", "expected a decimal number in quotes, found the number 1.5"),
    ("decimal", "\"1.5 \"", "expected a decimal number in quotes, found the string \"1.5 \""),
    (
      "date", "\"2026-02-29T00:00:00Z\"",
      "expected a date such as \"2026-05-01T12:00:00Z\", or seconds since 2001, found the string "
        + "\"2026-02-29T00:00:00Z\""
    ),
    ("binaryData", "\"AQI\"", "expected bytes in base64, found the string \"AQI\""),
    ("uuid", "\"x\"", "expected a UUID, found the string \"x\""),
    ("string", "{\"string\": 1}", "expected a string, found the number 1"),
    (
      "string", "{\"text\": \"x\"}",
      "expected an object that names the kind of its value, such as {\"string\": …}, found an object"
    ),
    (
      "transformable", "\"x\"",
      "expected an object that names the kind of its value, such as {\"string\": …}, found a string"
    ),
    (
      "objectID", "{\"objectID\": {}}",
      "expected an object with store, entity and key, found an object"
    ),
  ])
  func `says what is wrong with a default`(type: String, value: String, message: String) {
    let found = failure(
      "{\"contrail\": 1, \"kind\": \"objects\", \"entities\": {\"A\": {\"attributes\": "
        + "{\"a\": {\"type\": \"\(type)\", \"default\": \(value)}}}}}")
    #expect(found.split(separator: ": ", maxSplits: 1).last.map(String.init) == message)
  }

  @Test(arguments: [
    ("\"roles\": [\"a\", \"a\"]", "expected each role once, found \"a\" a second time"),
    (
      "\"types\": {\"A\": {\"fields\": {\"a\": {}}}}",
      "expected the key \"type\" in field, found none"
    ),
    (
      "\"types\": {\"A\": {\"fields\": {\"a\": {\"type\": \"string\"}}}}",
      "expected one of ASSET, BYTES, DOUBLE, INT64, LOCATION, REFERENCE, STRING, TIMESTAMP, NUMBER, "
        + "found \"string\""
    ),
    (
      "\"types\": {\"A\": {\"grants\": {\"_world\": {\"delete\": true}}}}",
      "expected one of read, create, write, found the key \"delete\""
    ),
  ])
  func `says what is wrong with records`(members: String, message: String) {
    let found = failure("{\"contrail\": 1, \"kind\": \"records\", \(members)}")
    #expect(found.split(separator: ": ", maxSplits: 1).last.map(String.init) == message)
  }

  @Test func `is larger or deeper than a schema can be`() {
    let long = String(repeating: " ", count: ContrailJSON.Limits.fileBytesMax + 1)
    #expect(
      failure(long)
        == "schema.json:1:1: expected a text of at most 16777216 bytes, found 16777217 bytes")
    let deep = String(repeating: "[", count: 200)
    #expect(
      failure(deep)
        == "schema.json:1:129: expected at most 128 objects and arrays in each other, found '['"
    )
    let nested = (0..<40).reduce("null") { text, _ in "{\"list\": [\(text)]}" }
    #expect(
      failure(
        "{\"contrail\": 1, \"kind\": \"objects\", \"entities\": {\"A\": {\"attributes\": "
          + "{\"a\": {\"type\": \"string\", \"default\": \(nested)}}}}}"
      ).hasSuffix("expected at most 32 values in each other, found more"))
  }

  private func failure(_ text: String) -> String {
    do {
      _ = try ContrailJSON.read(Array(text.utf8), file: "schema.json", label: "schema")
      return "no error"
    } catch { return error.description }
  }
}
