import Testing

@testable import SchemaFormats

@Suite struct `A ckdb file that cannot be read` {
  @Test(arguments: [
    ("", "1:1: expected DEFINE SCHEMA, found the end of the file"),
    ("CREATE ROLE a;", "1:1: expected DEFINE SCHEMA, found the word CREATE"),
    ("\"DEFINE\" SCHEMA", "1:1: expected DEFINE SCHEMA, found the name \"DEFINE\""),
    ("DEFINE ROLE", "1:8: expected SCHEMA after DEFINE, found the word ROLE"),
    (
      "DEFINE SCHEMA;",
      "1:14: expected CREATE ROLE, RECORD TYPE or the end of the file, found ';'"
    ),
    ("DEFINE SCHEMA CREATE TYPE", "1:22: expected ROLE after CREATE, found the word TYPE"),
    ("DEFINE SCHEMA CREATE ROLE ;", "1:27: expected a role's name, found ';'"),
    (
      "DEFINE SCHEMA\nCREATE ROLE a",
      "2:14: expected ';' after the role, found the end of the file"
    ),
    (
      "DEFINE SCHEMA\nCREATE ROLE a;\nCREATE ROLE \"a\";",
      "3:13: expected each role once, found a second role a"
    ),
    ("DEFINE SCHEMA RECORD a", "1:22: expected TYPE after RECORD, found the word a"),
    (
      "DEFINE SCHEMA RECORD TYPE Grant (",
      "1:27: expected a record type's name, found the reserved word Grant, which is a name only in "
        + "quotes"
    ),
    ("DEFINE SCHEMA RECORD TYPE A;", "1:28: expected '(' after the record type's name, found ';'"),
    (
      "DEFINE SCHEMA RECORD TYPE A (a STRING);\nRECORD TYPE A (a STRING);",
      "2:13: expected each record type once, found a second record type A"
    ),
    ("DEFINE SCHEMA RECORD TYPE A ()", "1:30: expected a field or GRANT, found ')'"),
    (
      "DEFINE SCHEMA RECORD TYPE A (a STRING,\n);",
      "2:1: expected a field or GRANT, found ')'"
    ),
    (
      "DEFINE SCHEMA RECORD TYPE A (a STRING)",
      "1:39: expected ';' after the record type, found the end of the file"
    ),
    (
      "DEFINE SCHEMA RECORD TYPE A (a STRING b STRING);",
      "1:39: expected ',' or ')' after the member, found the word b"
    ),
    (
      "DEFINE SCHEMA RECORD TYPE A (a TEXT);",
      "1:32: expected the type of the field a, found the word TEXT"
    ),
    (
      "DEFINE SCHEMA RECORD TYPE A (a \"STRING\");",
      "1:32: expected the type of the field a, found the name \"STRING\""
    ),
    (
      "DEFINE SCHEMA RECORD TYPE A (a STRING,\n  a INT64);",
      "2:3: expected each field once, found a second field a"
    ),
    (
      "DEFINE SCHEMA RECORD TYPE A (a ENCRYPTED ASSET);",
      "1:42: expected BYTES, DOUBLE, INT64, LOCATION, STRING or TIMESTAMP after ENCRYPTED, found "
        + "the word ASSET"
    ),
    (
      "DEFINE SCHEMA RECORD TYPE A (a ENCRYPTED LIST<STRING>);",
      "1:42: expected BYTES, DOUBLE, INT64, LOCATION, STRING or TIMESTAMP after ENCRYPTED, found "
        + "the word LIST"
    ),
    (
      "DEFINE SCHEMA RECORD TYPE A (a LIST STRING",
      "1:37: expected '<' after LIST, found the word STRING"
    ),
    (
      "DEFINE SCHEMA RECORD TYPE A (a LIST<STRING QUERYABLE>);",
      "1:44: expected '>' after the type of the list's elements, found the word QUERYABLE"
    ),
    (
      "DEFINE SCHEMA RECORD TYPE A (a LIST<LIST<STRING>>);",
      "1:37: expected the type of the field a, found the word LIST"
    ),
    (
      "DEFINE SCHEMA RECORD TYPE A (a NUMBER PREFERRED INT64);",
      "1:49: expected AS after PREFERRED, found the word INT64"
    ),
    (
      "DEFINE SCHEMA RECORD TYPE A (a NUMBER PREFERRED AS STRING);",
      "1:52: expected DOUBLE or INT64 after PREFERRED AS, found the word STRING"
    ),
    (
      "DEFINE SCHEMA RECORD TYPE A (GRANT DELETE TO a);",
      "1:36: expected READ, CREATE or WRITE, found the word DELETE"
    ),
    (
      "DEFINE SCHEMA RECORD TYPE A (GRANT READ a);",
      "1:41: expected ',' or TO after the permission, found the word a"
    ),
    ("DEFINE SCHEMA RECORD TYPE A (GRANT READ TO );", "1:44: expected a role's name, found ')'"),
    (
      "DEFINE SCHEMA\n  /* no end\n\n",
      "2:3: expected a comment that ends with */, found one that does not end"
    ),
    (
      "DEFINE SCHEMA CREATE ROLE \"a\n\";",
      "1:27: expected a quoted name that ends on its line, found one that does not end"
    ),
    ("DEFINE SCHEMA CREATE ROLE \"\";", "1:27: expected a name in the quotes, found nothing"),
    (
      "DEFINE SCHEMA\n\n  RECORD TYPE 9A",
      "3:15: expected a word, a quoted name or a sign, found '9'"
    ),
    ("DEFINE é", "1:8: expected a word, a quoted name or a sign, found 'é'"),
    ("DEFINE \u{0}", "1:8: expected a word, a quoted name or a sign, found the byte 0x00"),
    ("DEFINE / SCHEMA", "1:8: expected a word, a quoted name or a sign, found '/'"),
  ])
  func `says where, what was expected and what was found`(text: String, message: String) {
    #expect(failure(Array(text.utf8)) == "schema.ckdb:" + message)
  }

  @Test func `has bytes that are no text`() {
    #expect(
      failure(Array("DEFINE SCHEMA\n-- ".utf8) + [0xff])
        == "schema.ckdb:2:4: expected UTF-8 text, found the byte 0xff")
  }

  @Test func `is longer than a schema can be`() {
    #expect(
      failure(Array(repeating: 0x20, count: CKDB.Limits.fileBytesMax + 1))
        == "schema.ckdb:1:1: expected a file of at most 16777216 bytes, found one of 16777217")
  }

  @Test func `has a name longer than names can be`() {
    let name = String(repeating: "a", count: 1_025)
    #expect(
      failure(Array("DEFINE SCHEMA CREATE ROLE \(name);".utf8))
        == "schema.ckdb:1:27: expected a name of at most 1024 bytes, found one of 1025")
  }

  private func failure(_ bytes: [UInt8]) -> String {
    do {
      _ = try CKDB.read(bytes, file: "schema.ckdb", label: "schema")
      return "no error"
    } catch { return error.description }
  }
}
