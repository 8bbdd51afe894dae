import Contrail

/// A list of quakes in sections that follows the store by itself.
@MainActor
final class QuakeList {
  /// What the list may be sorted by, and the sections that go with it.
  enum Order: String, CaseIterable {
    case time, magnitude
  }

  private let observer: ResultsObserver<Quake, String>

  init(_ container: ModelContainer) throws {
    observer = try ResultsObserver(
      sortBy: [SortDescriptor(\Quake.time, order: .reverse)], sectionBy: \Quake.day,
      modelContext: container.mainContext)
  }

  // Wherever the last reference to the list goes: its quakes go where their context is at home.
  isolated deinit {}

  var isEmpty: Bool { observer.results.isEmpty }

  /// Order and sections change at once: the store is asked once, and nobody sees one without the other.
  func sort(by order: Order) {
    observer.update {
      switch order {
      case .time:
        $0.sortBy = [SortDescriptor(\.time, order: .reverse)]
        $0.sectionBy = \.day
      case .magnitude:
        $0.sortBy = [SortDescriptor(\.magnitude, order: .reverse)]
        $0.sectionBy = \.strength.rawValue
      }
    }
  }

  /// Leaves the quakes at places that contain `text`, whatever its case and accents; all of them where
  /// there is no text.
  func search(_ text: String) {
    observer.filterBy = text.isEmpty ? nil : #Predicate { $0.place.localizedStandardContains(text) }
  }

  func show() {
    guard let sections = observer.sections else { return }
    for section in sections {
      print("\n\(section.title)")
      for quake in section {
        let clock = quake.time.formatted(
          Date.ISO8601FormatStyle().time(includingFractionalSeconds: false))
        print("  \(clock)  \(quake.magnitude)  \(quake.place)")
      }
    }
  }
}
