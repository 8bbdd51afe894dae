import DataModel
import SchemaFormats
import SchemaGenerator
import SchemaLint
import Testing

@Suite struct `One edit of a random schema` {
  private static func document(_ label: String, _ schema: Schema) -> SchemaDocument {
    SchemaDocument(file: label, label: label, content: .objects(schema))
  }

  @Test(arguments: Mutation.all)
  func `is found by at most one additive rule, once`(_ mutation: Mutation) {
    for seed in 0..<12 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let before = Schema.consistent(using: &generator)
      let after = mutation.applied(to: before, using: &generator)
      for profile in LintProfile.allCases {
        let found = Linter(profile: profile, table: Rule.additive)
          .findings(in: Self.document("after", after), promoted: [Self.document("before", before)])
        #expect(found.count <= 1, "seed \(seed), \(profile): \(found.map(\.message))")
      }
    }
  }

  @Test(arguments: RecordMutation.all)
  func `that is a record file is found by at most one additive rule, once`(
    _ mutation: RecordMutation
  ) {
    for seed in 0..<30 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let before = RecordSchema.random(using: &generator)
      var after = before
      mutation.apply(&after)
      let found = Linter(profile: .cloudkit, table: Rule.additive).findings(
        in: SchemaDocument(file: "after", label: "after", content: .records(after)),
        promoted: [SchemaDocument(file: "before", label: "before", content: .records(before))])
      #expect(found.count <= 1, "seed \(seed): \(found.map(\.message))")
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `that changes nothing is found by none`(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let schema = Self.document("same", Schema.consistent(using: &generator))
    let records = SchemaDocument(
      file: "same", label: "same", content: .records(.random(using: &generator)))
    for profile in LintProfile.allCases {
      let linter = Linter(profile: profile, table: Rule.additive)
      #expect(linter.findings(in: schema, promoted: [schema, schema]) == [])
      #expect(linter.findings(in: records, promoted: [records]) == [])
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `never stops the lint, nor the impact report, whatever is compared with what`(
    _ seed: UInt64
  ) {
    var generator = SeededGenerator(seed: seed)
    let documents = (0..<4).map { number -> SchemaDocument in
      let schema = Schema.consistent(using: &generator)
      let content: SchemaDocument.Content =
        switch generator.below(3) {
        case 0: .records(.random(using: &generator))
        case 1: .records(schema.mapped(.coreData).schema)
        default: .objects(schema)
        }
      return SchemaDocument(file: "\(number)", label: "\(number)", content: content)
    }
    for profile in LintProfile.allCases {
      let found = Linter(profile: profile).findings(
        in: documents[3], promoted: Array(documents[..<3]))
      #expect(found.allSatisfy { $0.location.file == "3" })
      let report = ImpactReport(
        of: documents[3], on: Array(documents[..<3]), profile: profile)
      #expect(report.versions.count == 3)
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `is no finding where a model is held against its own records`(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let schema = Schema.consistent(using: &generator)
    for profile in LintProfile.allCases {
      let records = SchemaDocument(
        file: "r", label: "r", content: .records(schema.mapped(profile.mapping).schema))
      let linter = Linter(profile: profile, table: Rule.additive)
      #expect(linter.findings(in: Self.document("s", schema), promoted: [records]) == [])
      #expect(linter.findings(in: records, promoted: [Self.document("s", schema)]) == [])
    }
  }
}
