import DataModel
import RecordServer
import SchemaFormats
import SchemaGenerator

/// A random walk of one container's schema: saves, imports, promotions and resets.
struct SchemaWalk {
  private(set) var container = ContainerSchema()
  /// What was done last, for a failure to tell.
  private(set) var step = "new"
  /// How often each kind of step led to another schema.
  private(set) var changes: [String: Int] = [:]
  /// How often each kind of step was refused.
  private(set) var refusals: [String: Int] = [:]
  private var generator: SeededGenerator
  private var time: Int64 = 0

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// Takes one step; what it decided stands in `container`.
  mutating func advance() {
    time += 1
    let mark = AuditMark(by: "walker", at: time)
    switch generator.below(12) {
    case 0..<6: save()
    case 6..<9: importSome(mark)
    case 9..<11:
      let accepted: Set<String> = generator.oneIn(3) ? ["write-to-world"] : []
      note("promote", container.promoting(accepting: accepted, by: mark))
    default: note("reset", container.resetting(by: mark))
    }
  }

  private mutating func save() {
    let environment: SchemaEnvironment = generator.oneIn(4) ? .production : .development
    let fields = (0..<generator.below(4)).map { _ in
      SavedShape.Field(randomName(), randomValue())
    }
    let record = SavedShape(
      type: generator.pick(["A", "B", "C", "Users"], or: "A"), fields: fields,
      isPublic: generator.oneIn(4))
    step = "save \(record) in \(environment)"
    switch container.admit(record, to: environment) {
    case .fits: changes["fits", default: 0] += 1
    case .refused: refusals["save", default: 0] += 1
    case .extended(let addition):
      changes["save", default: 0] += 1
      container = addition.schema
    }
  }

  /// A changed copy of development, sometimes something else altogether.
  private mutating func importSome(_ mark: AuditMark) {
    var schema =
      generator.oneIn(10) ? RecordSchema.random(using: &generator) : container.development
    for _ in 0..<(1 + generator.below(3)) { change(&schema) }
    guard let text = try? CKDB.text(of: schema) else { return }
    note("import", container.importing(Array(text.utf8), file: "walk.ckdb", by: mark))
    step += ":\n\(text)"
  }

  private mutating func note(_ name: String, _ outcome: SchemaOutcome) {
    step = name
    if !outcome.plan.refusals.isEmpty { refusals[name, default: 0] += 1 }
    if outcome.isChanged { changes[name, default: 0] += 1 }
    container = outcome.schema
  }

  private mutating func change(_ schema: inout RecordSchema) {
    guard !schema.types.isEmpty else { return }
    let place = generator.below(schema.types.count)
    var type = schema.types[place]
    switch generator.below(8) {
    case 0: schema.types.remove(at: place)
    case 1: schema.roles = generator.distinct(upTo: 2) { $0.pick(["r", "s", "t"], or: "r") }
    case 2 where !type.fields.isEmpty:
      type.fields.remove(at: generator.below(type.fields.count))
      schema.types[place] = type
    case 3 where !type.fields.isEmpty:
      let number = generator.below(type.fields.count)
      type.fields[number].indexes = generator.pick([[], .queryable, .sortable], or: [])
      schema.types[place] = type
    case 4 where !type.fields.isEmpty:
      let number = generator.below(type.fields.count)
      type.fields[number].type = generator.pick([.string, .int64, .number], or: .string)
      schema.types[place] = type
    case 5:
      let role = generator.pick(RecordSchema.standardRoles + schema.roles, or: "_world")
      type.grants.removeAll { $0.role == role }
      type.grants.append(
        .init(to: role, .init(rawValue: UInt8(1 + generator.below(7)))))
      schema.types[place] = type
    default:
      let name = randomName()
      guard type.field(name) == nil else { return }
      type.fields.append(
        .init(name: name, type: generator.pick([.string, .int64, .double], or: .string)))
      schema.types[place] = type
    }
  }

  private mutating func randomName() -> String { "f\(generator.below(8))" }

  private mutating func randomValue() -> WireValueType {
    let elements: [WireValueType.Element] = [
      .text, .text, .text, .integer, .fraction, .truth, .absent, .typed(.string), .typed(.int64),
      .reference,
    ]
    return WireValueType(
      generator.pick(elements, or: .text), isList: generator.oneIn(8),
      isEncrypted: generator.oneIn(10))
  }
}
