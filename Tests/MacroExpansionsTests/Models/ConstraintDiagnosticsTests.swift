import Testing

@testable import MacroExpansions

/// What is said about `#Unique` and `#Index`.
@Suite struct ConstraintDiagnosticsTests {
  @Test(arguments: [
    (
      "#Unique<Trip>([\\.name], [\\.name])",
      "3:27: error: #Unique names the same properties a second time"
    ),
    (
      "#Unique<Trip>([\\.name, \\.start])\n  #Unique<Trip>([\\.start, \\.name])",
      "4:17: error: #Unique names the same properties a second time"
    ),
    (
      "#Index<Trip>(.binary([\\.name]), .binary([\\.name]))",
      "3:43: error: #Index names the same properties a second time"
    ),
    (
      "#Unique<Item>([\\.name])",
      "3:11: error: #Unique inside 'Trip' is about 'Trip' and no other model"
    ),
    ("#Unique<Trip>()", "3:4: error: #Unique needs at least one key path in each list"),
    ("#Index<Trip>([\\.name], [])", "3:26: error: #Index needs at least one key path in each list"),
    (
      "#Unique<Trip>([\\.views])",
      "3:20: error: #Unique is for properties that the store keeps, and 'views' is none"
    ),
    (
      "#Index<Trip>(.rtree([\\Trip.upper, \\.start]))",
      "3:30: error: #Index is for properties that the store keeps, and 'upper' is none"
    ),
    (
      "#Unique<Trip>([\\.tags])",
      "3:20: error: #Unique is for single values and relationships to one object, "
        + "and 'tags' is a collection"
    ),
  ])
  func `a constraint that cannot be meant is an error at what is wrong in it`(
    constraints: String, problem: String
  ) {
    #expect(diagnostics(of: constraints) == [problem])
  }

  @Test(arguments: [
    "#Unique<Trip>([\\.name], [\\.name, \\.start])",
    "#Index<Trip>([\\.name, \\.start], [\\.start, \\.name])",
    "#Unique<Trip>([\\.name])\n  #Unique<Trip>([\\.start])",
    "#Unique<Trips.Trip>([\\Trips.Trip.name])",
    "#Index<Trip>(.binary([\\.name]), .rtree([\\.name]))", "#Unique<Trip>(Self.together)",
  ])
  func `what can be meant is right`(constraints: String) {
    #expect(diagnostics(of: constraints) == [])
  }

  @Test func `a class that may have superclasses may have their properties`() {
    #expect(diagnostics(of: "#Unique<Trip>([\\.inherited])", heading: "Trip: Place") == [])
  }

  @Test(arguments: ["Unique", "Index"])
  func `a constraint outside a class is an error`(macro: String) {
    #expect(
      Expansion(ofModel: "#\(macro)<Trip>([\\.name])").diagnostics == [
        "1:2: error: #\(macro) can only stand inside a @Model class"
      ])
  }

  @Test(arguments: ["Unique", "Index"])
  func `a constraint in a class that @Model is forgotten on is an error`(macro: String) {
    let source = "final class Trip {\n  #\(macro)<Trip>([\\.name])\n}"
    let expansion = Expansion(ofModel: source)
    #expect(
      expansion.diagnostics == [
        "2:4: error: #\(macro) says nothing in 'Trip', which is no @Model class; add @Model to it"
      ])
  }

  private func diagnostics(of constraints: String, heading: String = "Trip") -> [String] {
    Expansion(
      ofModel: """
        @Model
        final class \(heading) {
          \(constraints)
          var name = ""
          var start = Date.now
          var tags: [String] = []
          @Transient var views = 0
          var upper: String { name }
          init() {}
        }
        """
    ).diagnostics
  }
}
