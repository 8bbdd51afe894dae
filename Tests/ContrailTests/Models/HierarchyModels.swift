import Contrail

@Model class Vehicle {
  var name: String
  var wheels: Int = 4
  var garage: Garage?

  init(name: String) { self.name = name }
}

@Model class Truck: Vehicle {
  var load: Double

  init(name: String, load: Double) {
    self.load = load
    super.init(name: name)
  }

  /// What no column holds.
  var shownName: String { name.uppercased() }
}

@Model final class FireTruck: Truck {
  var ladder: Int = 30

  override init(name: String, load: Double) { super.init(name: name, load: load) }
}

@Model final class Garage {
  var street: String
  @Relationship(inverse: \Vehicle.garage) var vehicles: [Vehicle] = []

  init(street: String) { self.street = street }
}
