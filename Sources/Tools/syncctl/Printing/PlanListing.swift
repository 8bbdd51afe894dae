import CommandKit
import JSONStream
import RecordWire
import SchemaLint

/// What a server says of a plan, as people read it.
struct PlanListing {
  let plan: SchemaPlanResponse

  /// What is lost, what changes, and what the lint says.
  var text: String {
    head + plan.changes.map { "  \($0.mark) \($0.line)\n" }.joined()
      + listed("production keeps", plan.kept.map { $0.element })
      + listed("loses the values of", plan.discarded)
      + (plan.deletesAllRecords ? "deletes every record of \(plan.environment.rawValue)\n" : "")
      + listed("passes over", plan.accepted)
      + plan.findings.filter { $0.severity != "error" || isAccepted($0) }.map(\.text).joined()
  }

  /// Why it is refused: every reason with its fix; `verb` is what was not done.
  func refusal(_ verb: String) -> String {
    let count = counted(plan.refusals.count, "reason")
    return "syncctl: error: the schema cannot be \(verb): \(count)\n"
      + plan.refusals.map { text(of: $0) }.joined()
  }

  private func text(of refusal: SchemaRefusalLine) -> String {
    let place = refusal.place.map { "\($0): " } ?? ""
    let line = "  \(place)\(refusal.message) [\(refusal.code)]\n"
    let fixes = [refusal.fix, mayBePassedOver(refusal) ? "--accept \(refusal.code)" : ""]
      .filter { !$0.isEmpty }
    return fixes.isEmpty ? line : line + "    fix  \(fixes.joined(separator: ", or "))\n"
  }

  private func mayBePassedOver(_ refusal: SchemaRefusalLine) -> Bool {
    plan.environment == .production && Self.pitfalls.contains(refusal.code)
  }

  private static let pitfalls = Set(Rule.all.filter { $0.category == .pitfall }.map(\.id))

  private var head: String {
    "\(plan.environment.rawValue): \(counted(plan.changes.count, "change"))\n"
  }

  private func isAccepted(_ finding: SchemaFindingLine) -> Bool {
    plan.accepted.contains(finding.rule)
  }

  private func listed(_ words: String, _ names: [String]) -> String {
    names.isEmpty ? "" : "\(words) \(names.joined(separator: ", "))\n"
  }
}

extension SchemaChangeLine {
  /// The sign before a difference in a listing.
  var mark: String { Self.marks[change] ?? "~" }

  private static let marks = ["added": "+", "removed": "-"]

  /// The difference as `schema diff` prints it.
  var json: JSONValue {
    var members = [
      JSONMember("element", .string(element)), JSONMember("part", .string(part)),
      JSONMember("change", .string(change)),
    ]
    if let aspect { members.append(JSONMember("aspect", .string(aspect))) }
    members.append(JSONMember("line", .string(line)))
    return JSONValue(.object(members))
  }
}

extension SchemaFindingLine {
  fileprivate var text: String {
    "\(severity): \(message) [\(rule)]\n  why  \(why)\n  fix  \(fix)\n"
  }
}

/// Prints a plan that was carried out, would be, or was refused, and says how to end.
struct PlanReport {
  let call: Invocation
  /// What is done, as in `imported`.
  let verb: String

  func write(_ plan: SchemaPlanResponse, isAsked: Bool) throws -> ExitCode {
    let isRefused = !plan.refusals.isEmpty
    if call.has("json") {
      try call.console.write(message: plan)
    } else if isRefused {
      call.console.writeError(PlanListing(plan: plan).refusal(verb) + "nothing was changed\n")
    } else {
      call.console.writeText(PlanListing(plan: plan).text + end(of: plan, isAsked: isAsked))
    }
    return isRefused ? .findings : .ok
  }

  private func end(of plan: SchemaPlanResponse, isAsked: Bool) -> String {
    if isAsked { return "could be \(verb); nothing was changed\n" }
    guard plan.isChanged else { return "nothing to do; version \(plan.version)\n" }
    return "\(verb); version \(plan.versionBefore) → \(plan.version)\n"
  }
}

extension Console {
  /// Prints a server's answer as it came, one member a line.
  func write(message: some WireResponse) throws {
    write(String(decoding: try message.json(.pretty), as: UTF8.self))
  }
}
