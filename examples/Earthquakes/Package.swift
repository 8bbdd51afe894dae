// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Earthquakes",
  dependencies: [.package(name: "Contrail", path: "../..")],
  targets: [
    .executableTarget(
      name: "quakes", dependencies: [.product(name: "Contrail", package: "Contrail")],
      resources: [.copy("quakes.geojson")])
  ]
)
