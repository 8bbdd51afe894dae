import DataModel
import RecordWire

/// Holds the operations of a call against one another and against the references that are there.
///
/// What fails here may make others fail, so it is asked again until nothing new fails.
struct ModifyReferences {
  let call: ModifyCall
  let transaction: any StorageTransaction
  /// The records that deletions take with them, by name, with the operation that does.
  private(set) var cascade: [ExactName: Int] = [:]

  init(_ call: ModifyCall, _ transaction: any StorageTransaction) {
    self.call = call
    self.transaction = transaction
  }

  /// Finds what fails because of references, by the positions of operations.
  mutating func failures(_ drafts: [ModifyDraft]) throws -> [Int: RequestFailure] {
    cascade = [:]
    var failures = try deletionFailures(drafts)
    let saved = Set(drafts.filter { !$0.isDeletion }.map(\.exactName))
    let deleted = Set(
      drafts.filter { $0.isDeletion && failures[$0.index] == nil }.map(\.exactName)
    ).union(cascade.keys)
    let present = try targetsThatAreThere(drafts, saved)
    for draft in drafts where !draft.isDeletion {
      for reference in draft.references where reference.action == .validate {
        let target = ExactName(reference.target.name)
        let isThere =
          saved.contains(target) || (present.contains(target) && !deleted.contains(target))
        if !isThere { failures[draft.index] = .noTarget(target.text) }
      }
    }
    return failures
  }

  /// Follows deletions to the records that go with them; one that a validating reference forbids fails.
  private mutating func deletionFailures(_ drafts: [ModifyDraft]) throws -> [Int: RequestFailure] {
    var failures: [Int: RequestFailure] = [:]
    let saved = Dictionary(
      drafts.filter { !$0.isDeletion }.map { ($0.exactName, $0) }, uniquingKeysWith: { $1 })
    let asked = Set(drafts.filter(\.isDeletion).map(\.exactName))
    for draft in drafts where draft.isDeletion && draft.existing != nil {
      var own: Set<ExactName> = [draft.exactName]
      var waiting = [RecordKey(call.zone, draft.name)]
      var isForbidden = false
      while !waiting.isEmpty && !isForbidden {
        let sources = try transaction.sources(of: waiting)
        waiting = []
        for source in sources {
          let name = ExactName(source.record.name)
          if asked.contains(name) || own.contains(name) { continue }
          // A record that is written in this call may have other references by then.
          if let draft = saved[name], try !draft.keepsValidating(source.reference) { continue }
          if source.reference.action == .validate {
            isForbidden = true
            break
          }
          own.insert(name)
          waiting.append(source.record)
        }
      }
      if isForbidden {
        failures[draft.index] = .deniedByReference
      } else {
        for name in own where name != draft.exactName { cascade[name] = draft.index }
      }
    }
    return failures
  }

  /// Those of the targets outside of the call that are there.
  private func targetsThatAreThere(
    _ drafts: [ModifyDraft], _ saved: Set<ExactName>
  ) throws -> Set<ExactName> {
    var wanted: Set<ExactName> = []
    for draft in drafts where !draft.isDeletion {
      for reference in draft.references
      where reference.action == .validate {
        let target = ExactName(reference.target.name)
        if !saved.contains(target) { wanted.insert(target) }
      }
    }
    let names = wanted.map(\.text).sorted { $0.precedesInBytes($1) }
    let rows = try transaction.records(names, in: call.zone)
    return Set(rows.compactMap { $0.flatMap { $0.isDeleted ? nil : ExactName($0.name) } })
  }
}
