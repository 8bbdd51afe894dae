import DataModel

/// One thing that a person may do to a record file in one edit.
struct RecordMutation: Sendable, CustomStringConvertible {
  let description: String
  let apply: @Sendable (inout RecordSchema) -> Void

  init(_ name: String, _ apply: @escaping @Sendable (inout RecordSchema) -> Void) {
    description = name
    self.apply = apply
  }

  private static func field(
    _ name: String, _ change: @escaping @Sendable (inout RecordSchema.Field) -> Void
  ) -> RecordMutation {
    RecordMutation(name) { schema in
      for type in schema.types.indices {
        let fields = schema.types[type].fields
        if let index = fields.firstIndex(where: { !$0.isSystem }) {
          return change(&schema.types[type].fields[index])
        }
      }
    }
  }

  static let all: [RecordMutation] = [
    RecordMutation("remove a type") { $0.types = $0.types.dropLast() },
    RecordMutation("add a type") { $0.types.append(.init(name: "Added")) },
    RecordMutation("remove a field") { schema in
      guard let type = schema.types.indices.first else { return }
      schema.types[type].fields = schema.types[type].fields.dropLast()
    },
    RecordMutation("remove a role and its grants") { schema in
      guard let role = schema.roles.popLast() else { return }
      for type in schema.types.indices {
        schema.types[type].grants.removeAll { $0.role == role }
      }
    },
    RecordMutation("remove a grant") { schema in
      guard let type = schema.types.indices.first else { return }
      schema.types[type].grants = schema.types[type].grants.dropLast()
    },
    RecordMutation("grant more") { schema in
      guard let type = schema.types.indices.first else { return }
      schema.types[type].grants.removeAll { $0.role == "_icloud" }
      schema.types[type].grants.append(.init(to: "_icloud", [.read, .create, .write]))
    },
    field("change a type") {
      $0.type = $0.type == .location ? .string : .location
      $0.preferredNumber = nil
    },
    field("make a list, or a single value") { $0.isList.toggle() },
    field("encrypt, or decrypt") { $0.isEncrypted.toggle() },
    field("drop the indexes") { $0.indexes = [] },
    field("index") { $0.indexes = [.queryable, .searchable, .sortable] },
  ]
}
