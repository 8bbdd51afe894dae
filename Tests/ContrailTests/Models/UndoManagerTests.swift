import Contrail
import Testing

@Suite("Undoing what a context changed")
struct UndoManagerTests {
  /// A trip to Rome, saved before anything can be undone.
  private struct SavedTrip {
    let context: ModelContext
    let trip = Trip(name: "Rome")
    let undo = UndoManager()

    init() throws {
      context = ModelContext(try memory(Trip.self))
      context.insert(trip)
      try context.save()
      context.undoManager = undo
    }
  }

  @Test func `undo takes back a change of a property, and redo makes it again`() throws {
    let saved = try SavedTrip()
    let (trip, undo) = (saved.trip, saved.undo)
    trip.destination = "Italy"
    #expect(undo.canUndo)
    undo.undo()
    #expect(trip.destination == "")
    undo.redo()
    #expect(trip.destination == "Italy")
  }

  @Test func `who observes a property is told that a change of it is undone, and redone`() throws {
    let saved = try SavedTrip()
    let (trip, undo) = (saved.trip, saved.undo)
    trip.destination = "Italy"
    var told: [String] = []
    for (name, act) in [("undo", undo.undo), ("redo", undo.redo)] {
      let fired = ContrailTests.Counter()
      withObservationTracking {
        _ = trip.destination
      } onChange: {
        fired.count += 1
      }
      act()
      told.append("\(name) \(fired.count) \(trip.destination)")
    }
    #expect(told == ["undo 1 ", "redo 1 Italy"])
  }

  @Test func `what a program registers is undone and redone with the changes of a context`() throws
  {
    final class Selection {
      var name = "none"
      func select(_ name: String, _ undo: UndoManager) {
        let before = self.name
        undo.registerUndo(withTarget: self) { $0.select(before, undo) }
        self.name = name
      }
    }
    let saved = try SavedTrip()
    let (trip, undo) = (saved.trip, saved.undo)
    let selection = Selection()
    trip.destination = "Italy"
    selection.select("Rome", undo)
    selection.select("Oslo", undo)
    undo.undo()
    #expect([selection.name, trip.destination] == ["none", ""])
    undo.redo()
    #expect([selection.name, trip.destination] == ["Oslo", "Italy"])
    undo.removeAllActions(withTarget: selection)
    undo.undo()
    #expect([selection.name, trip.destination] == ["Oslo", ""])
  }

  @Test func `a manager without a context undoes and redoes what is registered`() {
    final class Counter { var count = 0 }
    let (undo, counter) = (UndoManager(), Counter())
    func add(_ number: Int) {
      counter.count += number
      undo.registerUndo(withTarget: counter) { _ in add(-number) }
    }
    undo.undo()
    #expect(!undo.canUndo)
    for number in [1, 2] {
      undo.beginUndoGrouping()
      add(number)
      undo.endUndoGrouping()
    }
    undo.undo()
    #expect(counter.count == 1)
    undo.redo()
    #expect(counter.count == 3)
    undo.undo()
    undo.undo()
    #expect(counter.count == 0)
    #expect(!undo.canUndo && undo.canRedo)
  }

  @Test func `a name is that of the group in which it was given`()
    throws
  {
    let saved = try SavedTrip()
    let (context, trip, undo) = (saved.context, saved.trip, saved.undo)
    undo.beginUndoGrouping()
    trip.destination = "Italy"
    undo.setActionName("Set Destination")
    undo.endUndoGrouping()
    undo.beginUndoGrouping()
    context.delete(trip)
    undo.endUndoGrouping()
    undo.beginUndoGrouping()
    undo.setActionName("Add")
    context.insert(Trip(name: "Oslo"))
    undo.endUndoGrouping()
    var names: [String] = []
    while undo.canUndo {
      names.append(undo.undoActionName)
      undo.undo()
    }
    #expect(names == ["Add", "", "Set Destination"])
    #expect(undo.redoActionName == "Set Destination")
  }

  @Test func `a change without a group is named, also before it is made`()
    throws
  {
    let saved = try SavedTrip()
    let (context, trip, undo) = (saved.context, saved.trip, saved.undo)
    undo.setActionName("Set Destination")
    trip.destination = "Italy"
    try context.save()
    trip.rating = 1
    try context.save()
    undo.setActionName("Rate")
    #expect(undo.undoActionName == "Rate")
    undo.undo()
    #expect(undo.undoActionName == "Set Destination")
    #expect(undo.redoActionName == "Rate")
  }

  @Test func `undo and redo go by groups across stores, and a new change ends redoing`() throws {
    let folder = try TemporaryFolder()
    let configurations = [
      ModelConfiguration("vehicles", schema: Schema([Garage.self]), url: folder.file("a.store")),
      ModelConfiguration("trips", schema: Schema([Trip.self]), url: folder.file("b.store")),
    ]
    let context = ModelContext(
      try ModelContainer(for: Schema([Garage.self, Trip.self]), configurations: configurations))
    let (trip, garage) = (Trip(name: "Rome"), Garage(street: "Main Street"))
    context.insert(trip)
    context.insert(garage)
    try context.save()
    let undo = UndoManager()
    context.undoManager = undo
    func shown() -> [String] { [garage.street, trip.destination] }
    func group(_ body: () -> Void) {
      undo.beginUndoGrouping()
      body()
      undo.endUndoGrouping()
    }
    group { garage.street = "High Street" }
    group { trip.destination = "Italy" }
    group {
      garage.street = "Low Street"
      trip.destination = "Lazio"
    }
    var seen = [shown()]
    while undo.canUndo {
      undo.undo()
      seen.append(shown())
    }
    #expect(
      seen == [
        ["Low Street", "Lazio"], ["High Street", "Italy"], ["High Street", ""],
        ["Main Street", ""],
      ])
    seen = []
    while undo.canRedo {
      undo.redo()
      seen.append(shown())
    }
    #expect(
      seen == [["High Street", ""], ["High Street", "Italy"], ["Low Street", "Lazio"]])
    undo.undo()
    trip.rating = 1
    #expect(!undo.canRedo)
    undo.disableUndoRegistration()
    trip.rating = 2
    undo.enableUndoRegistration()
    undo.undo()
    #expect(shown() == ["High Street", "Italy"])
    #expect(trip.rating == nil)
  }
}
