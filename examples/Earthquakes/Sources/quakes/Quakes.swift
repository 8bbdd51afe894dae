import Contrail

/// Imports quakes and shows them, day by day.
@main
struct Quakes {
  static let usage = """
    usage: quakes [--sort time|magnitude] [--search TEXT] [--store FILE]
    """

  @MainActor
  static func main() async throws {
    guard let options = Options(CommandLine.arguments.dropFirst()) else {
      print(usage)
      exit(64)
    }
    let place =
      options.file.map { ModelConfiguration(url: URL(fileURLWithPath: $0)) }
      ?? ModelConfiguration(isStoredInMemoryOnly: true)
    let container = try ModelContainer(for: Quake.self, configurations: place)

    // The list is there before the quakes are, and is told of them.
    let list = try QuakeList(container)
    let importer = QuakeImporter(modelContainer: container)
    let count = try await importer.importQuakes()
    print(
      "\(count) quakes were new or renewed, \(try await importer.recentCount()) of the last five hours"
    )

    list.sort(by: options.order)
    list.search(options.search)
    list.show()
    if list.isEmpty { print("\nno quake is near “\(options.search)”") }
  }

  /// What was typed.
  struct Options {
    var order = QuakeList.Order.time
    var search = ""
    var file: String?

    init?(_ arguments: some Sequence<String>) {
      var rest = arguments.makeIterator()
      while let name = rest.next() {
        guard let value = rest.next() else { return nil }
        switch name {
        case "--sort":
          guard let known = QuakeList.Order(rawValue: value) else { return nil }
          order = known
        case "--search": search = value
        case "--store": file = value
        default: return nil
        }
      }
    }
  }
}
