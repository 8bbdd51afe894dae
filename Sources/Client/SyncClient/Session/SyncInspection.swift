import ObjectStore
package import RecordWire
package import SyncCore

/// Everything that sync remembers of a store, read at one moment, for those who check or explain it.
package struct SyncInspection: Sendable {
  /// Where a change stands that is not acknowledged.
  package enum State: String, Hashable, Sendable { case pending, parked, failed }

  /// What is not acknowledged of one record.
  package struct Change: Hashable, Sendable {
    /// What was done.
    package var kind: LocalChange.Kind
    /// The fields; empty for all of a new record, and for a deletion.
    package var fields: [String]
    /// Where it stands.
    package var state: State
    /// The code of a failure.
    package var code: String?
  }

  /// A record, as far as this store has to do with it.
  package struct Record: Sendable {
    /// The record's name.
    package var name: String
    /// The record's type.
    package var type: String
    /// Whether the record is an object or a pair here.
    package var isOwned: Bool
    /// What the object or pair would be as a record; nil where it is gone, or never was one.
    package var local: RecordFields?
    /// What the server confirmed last.
    package var base: RecordFields?
    /// Whether the server has lost it since.
    package var isLost: Bool
    /// The fields in which both differ, beside references that wait for their target.
    package var differences: [String]
    /// What waits: the name of the target by field.
    package var waiting: [String: String]
    /// The fields whose files have not come yet.
    package var awaited: [String]
    /// What is not acknowledged.
    package var changes: [Change]
  }

  /// The records, in the order in which the store met them.
  package var records: [Record] = []
  /// Objects and pairs without records, as texts.
  package var strays: [String] = []
  /// Changes of records that are not there, as texts.
  package var lostChanges: [String] = []
  /// Where the next pull begins.
  package var token: String?
  /// Whether everything that was done here is in the outbox.
  package var hasReadHistory = false
  /// The sums of the digests of all bases.
  package var digest = DigestSum()
}

extension SyncSession {
  /// Reads everything that sync remembers of the store.
  package func inspection() throws -> SyncInspection {
    try read { try Inspector(rows: $0, objects: objects, store: store).inspection() }
  }
}
