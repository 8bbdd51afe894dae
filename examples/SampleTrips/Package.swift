// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "SampleTrips",
  dependencies: [.package(name: "Contrail", path: "../..")],
  targets: [
    .executableTarget(
      name: "trips", dependencies: [.product(name: "Contrail", package: "Contrail")])
  ]
)
