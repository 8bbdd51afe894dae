import DataModel

/// Reads the statements of a `.ckdb` file, one token ahead of what it has taken.
struct CKDBParser {
  private(set) var roles: [String] = []
  private(set) var types: [RecordSchema.RecordType] = []
  var sources = SourceMap()

  private var lexer: CKDBLexer
  private(set) var token: CKDBToken
  private var roleNames: Set<String> = []
  private var typeNames: Set<String> = []

  init(_ bytes: [UInt8], file: String) throws(SchemaFormatError) {
    lexer = try CKDBLexer(bytes, file: file)
    token = try lexer.next()
  }

  mutating func parseSchema() throws(SchemaFormatError) {
    sources.record(.schema, at: token.position)
    try take("DEFINE", orExpect: "DEFINE SCHEMA")
    try take("SCHEMA", orExpect: "SCHEMA after DEFINE")
    while token.kind != .end {
      if try takeIf("CREATE") {
        try parseRole()
      } else if try takeIf("RECORD") {
        try parseType()
      } else {
        throw unexpected(expected: "CREATE ROLE, RECORD TYPE or the end of the file")
      }
    }
  }

  private mutating func parseRole() throws(SchemaFormatError) {
    try take("ROLE", orExpect: "ROLE after CREATE")
    let (name, position) = try takeName(of: "a role's name")
    guard roleNames.insert(name).inserted else {
      throw error(at: position, expected: "each role once", found: "a second role \(name)")
    }
    roles.append(name)
    sources.record(.role(name), at: position)
    try take(";", orExpect: "';' after the role")
  }

  private mutating func parseType() throws(SchemaFormatError) {
    try take("TYPE", orExpect: "TYPE after RECORD")
    let (name, position) = try takeName(of: "a record type's name")
    guard typeNames.insert(name).inserted else {
      throw error(
        at: position, expected: "each record type once", found: "a second record type \(name)")
    }
    sources.record(.recordType(name), at: position)
    try take("(", orExpect: "'(' after the record type's name")
    var members = CKDBMembers(type: name)
    repeat { try parseMember(into: &members) } while try takeIf(sign: ",")
    try take(")", orExpect: "',' or ')' after the member")
    try take(";", orExpect: "';' after the record type")
    for grant in members.grants {
      sources.record(
        .grant(type: name, role: grant.role), at: grant.position, aspects: grant.aspects)
    }
    types.append(members.recordType)
  }
}

extension CKDBParser {
  /// Takes a name, bare or in quotes.
  mutating func takeName(
    of expected: String
  ) throws(SchemaFormatError) -> (name: String, position: SourcePosition) {
    let position = token.position
    switch token.kind {
    case .quoted(let name):
      try advance()
      return (name, position)
    case .word(let name):
      guard !CKDBWords.reserved.contains(name.uppercased()) else {
        throw error(
          at: position, expected: expected,
          found: "the reserved word \(name), which is a name only in quotes")
      }
      try advance()
      return (name, position)
    default: throw unexpected(expected: expected)
    }
  }

  mutating func take(_ keyword: String, orExpect expected: String) throws(SchemaFormatError) {
    guard token.keyword == keyword || token.kind == Self.sign(keyword) else {
      throw unexpected(expected: expected)
    }
    try advance()
  }

  mutating func takeIf(_ keyword: String) throws(SchemaFormatError) -> Bool {
    guard token.keyword == keyword else { return false }
    try advance()
    return true
  }

  mutating func takeIf(sign: Unicode.Scalar) throws(SchemaFormatError) -> Bool {
    guard token.isSign(sign) else { return false }
    try advance()
    return true
  }

  mutating func advance() throws(SchemaFormatError) { token = try lexer.next() }

  func unexpected(expected: String) -> SchemaFormatError {
    error(at: token.position, expected: expected, found: token.shown)
  }

  func error(at position: SourcePosition, expected: String, found: String) -> SchemaFormatError {
    lexer.error(at: position, expected: expected, found: found)
  }

  private static func sign(_ text: String) -> CKDBToken.Kind? {
    text.utf8.count == 1 ? text.utf8.first.map { .sign($0) } : nil
  }
}
