import Contrail
import Synchronization

// Classes in which what the macros write meets what else can stand in a class.

/// Counts how often defaults are made.
@MainActor final class DefaultsMade {
  static var count = 0
}

/// A class with an isolation of its own, whose defaults need it.
@MainActor @Model final class MacroPanel {
  var title: String = "untitled"
  var number: Int = MacroPanel.nextNumber()
  init(title: String) { self.title = title }
  init() {}

  private static func nextNumber() -> Int {
    DefaultsMade.count += 1
    return DefaultsMade.count
  }
}

/// A protocol that no macro knows.
protocol MacroNamed: AnyObject {
  var name: String { get set }
}

/// A root class whose accessors take part in initialization, for the macro cannot tell that it is one.
@Model class MacroVehicle: MacroNamed {
  var name: String
  var wheels = 4
  var owner: MacroOwner?
  /// What is read here is what the initializer set.
  @Transient var label: String = ""

  init(name: String, owner: MacroOwner? = nil) {
    self.owner = owner
    self.name = name
    label = "\(name) on \(wheels)"
  }
}

/// A subclass that sets its own properties first, as initializers have to.
@Model final class MacroTruck: MacroVehicle {
  var load: Double
  var axles: Int = 3
  var depot: MacroOwner?

  init(name: String, load: Double, depot: MacroOwner? = nil) {
    self.load = load
    self.depot = depot
    super.init(name: name, owner: depot)
    wheels = axles * 2
  }
}

@Model final class MacroOwner {
  var name = "nobody"
  @Relationship(inverse: \MacroVehicle.owner) var vehicles: [MacroVehicle] = []
  init(name: String) { self.name = name }
}

/// Names that are keywords, conditions, scopes, visibility.
enum MacroScope<Unused> {
  @Model final class Entry {
    var `default` = 1
    var `class`: String?
    private(set) var hidden = [String]()
    #if NEVER_DEFINED
      var absent: Int
    #else
      var present = true
    #endif
    var id: UUID = UUID()
    var computed: Int { `default` + 1 }
    static var shared: Int { 5 }

    init(class name: String?) {
      `class` = name
      hidden.append("made")
    }
  }
}

/// A class whose initializer sets nothing, with a default that is another each time.
@Model final class MacroStamp {
  var number = MacroStamp.next()
  init() {}

  static let numbers = Mutex(0)

  private static func next() -> Int {
    numbers.withLock { last in
      last += 1
      return last
    }
  }
}
