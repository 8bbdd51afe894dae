import DataModel
import SchemaFormats
import Testing

@Suite struct XCPackageTests {
  @Test(arguments: [
    ["Model", "Model 2", "Model 3", "Model 10", "Model 11"],
    ["books", "books_5", "books_9", "books_10", "books_18"],
    ["Profiles", "ProfilesV2", "ProfilesV3"],
    ["Advanced.EvolutionDemo", "Advanced.EvolutionDemo.V2"],
    ["Model 1", "Model 1.2", "Model 1.10", "Model 2.0", "Model 2.0.1"],
    ["Alpha", "Beta", "Alpha 2", "Beta 2", "Alpha 00000000000000000000000000000003"],
  ])
  func `versions stand in the order of the numbers at the end of their names`(labels: [String])
    throws
  {
    let package = try XCDataModel.package(from: tree(labels.reversed()))
    #expect(package.versions.map(\.label) == labels)
    #expect(package.current?.label == labels.last)
  }

  @Test func `the current version is the one that the package names`() throws {
    let package = try XCDataModel.package(
      from: tree(["Log", "Log 2", "Log 3"], current: property("Log 2.xcdatamodel")))
    #expect(package.name == "FlightLog")
    #expect(package.currentIndex == 1)
    #expect(package.current?.file == "app/FlightLog.xcdatamodeld/Log 2.xcdatamodel/contents")
    #expect(package.notes == [])
  }

  @Test(arguments: [
    "<plist version=\"1.0\"><dict/></plist>", "<plist/>",
    "<plist><dict><key>other</key><string>Log.xcdatamodel</string></dict></plist>",
    "<plist><dict><key>_XCCurrentVersionName</key><string></string></dict></plist>",
  ])
  func `where the package leaves it open, the last version is the current one`(list: String) throws
  {
    let package = try XCDataModel.package(from: tree(["Log", "Log 2"], current: list))
    #expect(package.current?.label == "Log 2")
  }

  @Test func `a single model and a bare file are packages of one version`() throws {
    let contents = Array("<model/>".utf8)
    let directory = try XCDataModel.package(
      from: SchemaFileTree(path: "app/Log 7.xcdatamodel/", files: ["contents": contents]))
    #expect(directory.versions.map(\.label) == ["Log 7"])
    #expect(directory.current?.file == "app/Log 7.xcdatamodel/contents")
    let file = try XCDataModel.package(
      from: SchemaFileTree(path: "app/Log 7.xcdatamodel/contents", files: ["": contents]))
    #expect(file.versions.map(\.label) == ["Log 7"])
    #expect(file.current?.file == "app/Log 7.xcdatamodel/contents")
    let other = try XCDataModel.package(
      from: SchemaFileTree(path: "saved.xml", files: ["": contents]))
    #expect(other.name == "saved.xml")
  }

  @Test func `a version without contents is passed over, unless it is the current one`() throws {
    var files = tree(["Log", "Log 3"])
    files.emptyDirectories.insert("Log 2.xcdatamodel")
    files.files["Log 1.xcdatamodel/layout"] = []
    let package = try XCDataModel.package(from: files)
    #expect(package.versions.map(\.label) == ["Log", "Log 3"])
    #expect(
      package.notes.map { "\($0.location): \($0.message)" } == [
        "app/FlightLog.xcdatamodeld/Log 1.xcdatamodel:1:1: the version Log 1 has no file contents and was passed over",
        "app/FlightLog.xcdatamodeld/Log 2.xcdatamodel:1:1: the version Log 2 has no file contents and was passed over",
      ])
    files.files[".xccurrentversion"] = Array(property("Log 2.xcdatamodel").utf8)
    expectRefusal(
      of: files,
      "app/FlightLog.xcdatamodeld/Log 2.xcdatamodel:1:1: expected the file contents in the current version, found none"
    )
  }

  @Test func `a package without versions is refused`() {
    expectRefusal(
      of: tree([]),
      "app/FlightLog.xcdatamodeld:1:1: expected a model: contents, or directories *.xcdatamodel, found neither"
    )
  }

  @Test func `a current version that is not there is refused, and those that are there named`() {
    expectRefusal(
      of: tree(["Log", "Log 2"], current: property("Log 3.xcdatamodel")),
      "app/FlightLog.xcdatamodeld/.xccurrentversion:4:1: expected one of the versions Log.xcdatamodel, Log 2.xcdatamodel, found \"Log 3.xcdatamodel\""
    )
  }

  @Test(arguments: [
    ("<dict/>", "1:1: expected <plist>, as a property list begins, found <dict>"),
    ("<plist><array/></plist>", "1:8: expected <dict>, found <array>"),
    (
      "<plist><dict><key>_XCCurrentVersionName</key></dict></plist>",
      "1:14: expected <string> after the key _XCCurrentVersionName, found nothing"
    ),
    (
      "<plist><dict><key>_XCCurrentVersionName</key><true/></dict></plist>",
      "1:14: expected <string> after the key _XCCurrentVersionName, found <true>"
    ),
    ("bplist00", "1:1: expected an element, found \"b\""),
  ])
  func `a property list that cannot be read is refused`(list: String, message: String) {
    expectRefusal(
      of: tree(["Log"], current: list), "app/FlightLog.xcdatamodeld/.xccurrentversion:\(message)")
  }

  private func property(_ name: String) -> String {
    """
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/x.dtd">
    <plist version="1.0"><dict>
    <key>_XCCurrentVersionName</key>
    <string>\(name)</string>
    </dict></plist>
    """
  }

  private func tree(_ labels: [String], current: String? = nil) -> SchemaFileTree {
    var tree = SchemaFileTree(path: "app/FlightLog.xcdatamodeld", files: [:])
    for label in labels { tree.files["\(label).xcdatamodel/contents"] = Array("<model/>".utf8) }
    if let current { tree.files[".xccurrentversion"] = Array(current.utf8) }
    return tree
  }

  private func expectRefusal(
    of tree: SchemaFileTree, _ message: String,
    at location: Testing.SourceLocation = #_sourceLocation
  ) {
    let error = #expect(throws: SchemaFormatError.self, sourceLocation: location) {
      try XCDataModel.package(from: tree)
    }
    #expect(error?.description == message, sourceLocation: location)
  }
}
