import DataModel
import RecordWire

/// Holds the operations of a call against one another and against the references that are there.
///
/// What fails here may make others fail, so it is asked again until nothing new fails.
struct ModifyReferences {
  let call: ModifyCall
  let transaction: any StorageTransaction
  let sources: ReferenceSources
  /// The records that deletions take with them.
  private(set) var cascade: Set<ExactName> = []

  init(_ call: ModifyCall, _ transaction: any StorageTransaction, _ sources: ReferenceSources) {
    self.call = call
    self.transaction = transaction
    self.sources = sources
  }

  /// Finds what fails because of references, by the positions of operations.
  mutating func failures(_ drafts: [ModifyDraft]) throws -> [Int: RequestFailure] {
    let saves = Dictionary(
      drafts.filter { !$0.isDeletion }.map { ($0.exactName, $0) }, uniquingKeysWith: { $1 })
    let deletions = drafts.filter { $0.isDeletion && $0.existing != nil }
    let walk = try CascadeWalk(from: deletions.map(\.exactName), saves: saves, sources)
    var failures: [Int: RequestFailure] = [:]
    for deletion in deletions {
      if walk.isForbidden(deletion.exactName) {
        failures[deletion.index] = .deniedByReference
      } else if walk.isCut {
        failures[deletion.index] = .tooManyFollowers(call.cascadeRecordsMax)
      }
    }
    // What goes is known only once it is known what there is.
    let deleted = walk.isCut ? [] : walk.deleted()
    cascade = deleted.subtracting(deletions.map(\.exactName))
    for (index, target) in walk.takenSaves where deleted.contains(target) {
      failures[index] = .deletedWith(target.text)
    }
    failures.merge(try saveFailures(saves, deleted)) { _, new in new }
    return failures
  }

  /// What refers to a record that is not there, or goes with one that is deleted.
  private func saveFailures(
    _ saves: [ExactName: ModifyDraft], _ deleted: Set<ExactName>
  ) throws -> [Int: RequestFailure] {
    let present = try targetsThatAreThere(saves)
    var failures: [Int: RequestFailure] = [:]
    for draft in saves.values {
      for reference in draft.references {
        let target = ExactName(reference.target.name)
        let isDeleted = deleted.contains(target)
        switch reference.action {
        case .validate where saves[target] == nil && (isDeleted || !present.contains(target)):
          failures[draft.index] = .noTarget(target.text)
        case .deleteSelf where isDeleted: failures[draft.index] = .deletedWith(target.text)
        default: break
        }
      }
    }
    return failures
  }

  /// Those of the targets outside of the call that are there.
  private func targetsThatAreThere(
    _ saves: [ExactName: ModifyDraft]
  ) throws -> Set<ExactName> {
    var wanted: Set<ExactName> = []
    for draft in saves.values {
      for reference in draft.references where reference.action == .validate {
        let target = ExactName(reference.target.name)
        if saves[target] == nil { wanted.insert(target) }
      }
    }
    let names = wanted.map(\.text).sorted { $0.precedesInBytes($1) }
    let isThere = try transaction.areThere(names, in: call.zone)
    return Set(zip(names, isThere).compactMap { $1 ? ExactName($0) : nil })
  }
}

extension RequestFailure {
  fileprivate static func tooManyFollowers(_ most: Int) -> RequestFailure {
    .badRequest(
      "more than \(most) references would have to be followed for the deletions of one request: "
        + "delete some of the records that refer to these first")
  }

  fileprivate static func deletedWith(_ target: String) -> RequestFailure {
    RequestFailure(
      .validatingReferenceError,
      reason: "Record save would violate reference: '\(target)' is deleted by the same request, "
        + "and takes this record with it")
  }
}
