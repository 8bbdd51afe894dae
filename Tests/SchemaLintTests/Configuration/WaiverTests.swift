import DataModel
import SchemaFormats
import SchemaLint
import Testing

@Suite struct `A waiver` {
  @Test(arguments: [
    ("LogEntry.duration", true), ("LogEntry.*", true), ("*", true), ("LogEntry", false),
    ("LogEntry.dur", false), ("LogEntry.dur*", false), ("Pilot.*", false),
  ])
  func `covers the part that it names, all parts of an entity, or all`(
    subject: String, isWaived: Bool
  ) {
    let outcome = apply(waiver(subject), to: [duration])
    #expect(outcome.waived.map(\.finding) == (isWaived ? [duration] : []))
    #expect(outcome.kept == (isWaived ? [] : [duration]))
    #expect(outcome.unused.count == (isWaived ? 0 : 1))
  }

  @Test func `for an entity covers the entity itself only with a star`() {
    let entity = finding(.entity("LogEntry"))
    let index = finding(.index(entity: "LogEntry", name: "byDate"))
    #expect(apply(waiver("LogEntry"), to: [entity, index]).kept == [index])
    #expect(apply(waiver("LogEntry.*"), to: [entity, index]).kept == [])
  }

  @Test func `covers only findings of its rule`() {
    let outcome = apply(waiver("*", rule: "unique-constraint"), to: [duration])
    #expect(outcome.kept == [duration])
  }

  @Test(arguments: [
    ("2026-11-21", true), ("2026-11-20", true), ("2026-11-19", false), ("2025-12-31", false),
  ])
  func `counts up to the day on which it expires, and on that day`(day: String, isWaived: Bool) {
    let waiver = waiver("*", expires: CalendarDate(day))
    let outcome = apply(waiver, to: [duration])
    #expect(outcome.waived.isEmpty == !isWaived)
    #expect(outcome.expired.map(\.waiver) == (isWaived ? [] : [waiver]))
    #expect(outcome.expired.allSatisfy { $0.findingCount == 1 })
    #expect(outcome.unused == [])
  }

  @Test func `that expired and covers nothing is unused`() {
    let waiver = waiver("*", expires: CalendarDate("2020-01-01"))
    let outcome = apply(waiver, to: [])
    #expect(outcome.unused == [waiver] && outcome.expired == [])
  }

  @Test func `that expired does not matter while another one covers the finding`() {
    let old = waiver("*", expires: CalendarDate("2020-01-01"))
    let new = waiver("LogEntry.duration")
    let outcome = WaiverOutcome([duration], waivers: [old, new], today: SampleReport.today)
    #expect(outcome.waived.map(\.waiver) == [new])
    #expect(outcome.unused == [old] && outcome.expired == [])
  }

  private let duration = SampleReport.finding(
    SampleReport.removed, .attribute(entity: "LogEntry", name: "duration"), nil, "was removed",
    line: 1)

  private func finding(_ element: SchemaElement) -> Finding {
    SampleReport.finding(SampleReport.removed, element, nil, "was removed", line: 1)
  }

  private func waiver(
    _ subject: String, rule: String = "field-removed", expires: CalendarDate? = nil
  ) -> Waiver {
    Waiver(
      rule: rule, subject: Waiver.Subject(subject), reason: "r", expires: expires,
      location: SampleReport.place("contrail-lint.json", 1, 1))
  }

  private func apply(_ waiver: Waiver, to findings: [Finding]) -> WaiverOutcome {
    WaiverOutcome(findings, waivers: [waiver], today: SampleReport.today)
  }
}
