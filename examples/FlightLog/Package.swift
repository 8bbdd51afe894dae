// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "FlightLog",
  dependencies: [.package(name: "Contrail", path: "../..")],
  targets: [
    .executableTarget(
      name: "flightlog", dependencies: [.product(name: "Contrail", package: "Contrail")]),
    .testTarget(name: "FlightLogTests", dependencies: ["flightlog"]),
  ]
)
