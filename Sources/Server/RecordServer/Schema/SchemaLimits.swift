/// How much one container's schema may hold, so that no client can make it grow without end.
package enum SchemaLimits {
  /// The longest name of a type or field that a save creates, in bytes.
  package static let nameBytesMax = 255
  /// How many record types an environment may have.
  package static let typesMax = 1_000
  /// How many fields a record type may have beside the system's: Apple's TN3164 gives this number.
  package static let fieldsMax = 256
  /// How many custom roles an environment may have.
  package static let rolesMax = 1_000
  /// How large an environment's schema may be when it is written out, in bytes: less than the readers
  /// of both formats take, so that what was written can be read.
  package static let schemaBytesMax = 12 << 20
  /// How many entries the audit list keeps; the oldest go first, and numbers show that they did.
  package static let auditEntriesMax = 1_000
  /// How many changes an audit entry lists one by one.
  package static let auditLinesMax = 50
  /// The longest line of a change in the audit list, in bytes.
  package static let auditLineBytesMax = 256
  /// The longest name in the audit list of who did something, in bytes.
  package static let auditNameBytesMax = 255
  /// The greatest version: what every reader of JSON can tell apart from its neighbours.
  package static let versionMax: Int64 = 1 << 53
  /// The largest stored form of a container's schema, in bytes: more than both environments, the
  /// ledger and the audit list can need.
  package static let storedBytesMax = 64 << 20
  /// How much of a name that is too long a message shows, in characters.
  package static let shownNameMax = 64
}
