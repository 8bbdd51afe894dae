public import DataModel

/// What a save comes to.
public enum SaveVerdict: Hashable, Sendable {
  /// The record fits the schema as it is.
  case fits
  /// The record fits the schema with what the save adds to it.
  case extended(SchemaExtension)
  /// The record cannot be saved; each reason names its field.
  case refused([SchemaRefusal])
}

/// A schema that a save in development has extended.
public struct SchemaExtension: Hashable, Sendable {
  /// The next version of the container's schema.
  public let schema: ContainerSchema
  /// What was added, and which numbers settled on a kind.
  public let changes: [SchemaChange]
  /// What is left to do for the indexes.
  public let indexes: IndexWork
}

extension ContainerSchema {
  /// Decides about a record that is to be saved, and in development adds what it needs.
  ///
  /// On the hot path ask `ResolvedSchema.check` of the same version first: it says at once that a
  /// record fits.
  public func admit(_ record: SavedShape, to environment: SchemaEnvironment) -> SaveVerdict {
    switch resolved(environment).check(record) {
    case .fits: .fits
    case .refused(let refusals): .refused(refusals)
    case .extends(let addition): extended(with: addition)
    }
  }

  private func extended(with addition: SchemaAddition) -> SaveVerdict {
    var next = self
    next.version += 1
    next.development = development.adding(addition)
    let excesses = next.development.excesses
    guard excesses.isEmpty else { return .refused(excesses) }
    var changes = diff(development, next.development)
    if development.type(addition.type) == nil {
      // The diff tells a new type as one change; who saved wants to know its fields too.
      changes += addition.fields.map {
        SchemaChange(.field(type: addition.type, name: $0.name), .added)
      }
    }
    return .extended(
      SchemaExtension(
        schema: next, changes: changes,
        indexes: IndexWork(from: development, to: next.development)))
  }
}

extension RecordSchema {
  /// The schema with new fields, in a new type with the default grants where it lacks the type.
  fileprivate func adding(_ addition: SchemaAddition) -> RecordSchema {
    var types = self.types
    let names = Set(addition.fields.map(\.name))
    if let index = types.firstIndex(where: { $0.name == addition.type }) {
      types[index].fields =
        types[index].fields.filter { !names.contains($0.name) } + addition.fields
    } else {
      types.append(
        RecordType(
          name: addition.type, fields: Self.systemFields + addition.fields,
          grants: Self.defaultGrants))
    }
    return RecordSchema(roles: roles, types: types)
  }
}
