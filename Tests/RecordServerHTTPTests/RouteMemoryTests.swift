import Testing

@testable import RecordServerHTTP

/// Routes of paths that were asked for before.
@Suite struct RouteMemoryTests {
  @Test func `a path has the route that reading it gives, also when many were asked for`() {
    let memory = RouteMemory(Metrics())
    let operations = (0..<RouteMemory.pathsMax + 50).map {
      "/database/1/container\($0)/development/private/records/lookup"
    }
    let others = ["/health", "/", "", "/assets/1/c/development/upload/sealed", "/database/1/a%2"]
    let long = "/database/1/\(String(repeating: "c", count: 300))/development/public/zones/list"
    for path in operations + operations + others + others + [long, long] {
      #expect(memory.route(Array(path.utf8)[...])?.route == Route(path: path))
    }
  }
}
