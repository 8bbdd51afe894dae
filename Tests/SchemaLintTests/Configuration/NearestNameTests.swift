import SchemaLint
import Testing

@Suite struct `A mistyped name` {
  private let names = [
    "field-removed", "field-renamed", "unique-constraint", "delete-rule-no-action",
  ]

  @Test(arguments: [
    ("field-remved", "; did you mean field-removed or field-renamed?"),
    ("Unique-Constraint", "; did you mean unique-constraint?"),
    ("uniqeu-constraint", "; did you mean unique-constraint?"), ("x", ""), ("", ""),
  ])
  func `is answered with the nearest ones, if any are near`(name: String, question: String) {
    #expect(NearestName.question(for: name, among: names) == question)
  }
}
