import SchemaLint
import Testing

@Suite struct `A path in a repository` {
  @Test(arguments: [
    ("M.xcdatamodeld/M 2.xcdatamodel/contents", "ios/M.xcdatamodeld/M 2.xcdatamodel/contents"),
    ("./a//b/./c", "ios/a/b/c"), ("../shared/a.ckdb", "shared/a.ckdb"),
    ("/repo/ios/a", "ios/a"), ("/repo/../repo/a", "a"), ("../../other/a", "/other/a"),
    ("/elsewhere/a", "/elsewhere/a"), ("/repository/a", "/repository/a"),
  ])
  func `begins at the root, or is absolute when it lies outside`(file: String, path: String) {
    let options = ReportOptions(workingDirectory: "/repo/ios", repositoryRoot: "/repo/")
    #expect(RepositoryPath(file, options: options).path == path)
  }

  @Test func `stays as it is, tidied, when nobody said where the root is`() {
    #expect(RepositoryPath("./a/../b c", options: ReportOptions()).path == "b c")
    #expect(RepositoryPath("../a", options: ReportOptions()).path == "../a")
  }

  @Test(arguments: [
    (
      "My App.xcdatamodeld/Model 2.xcdatamodel/contents",
      "My%20App.xcdatamodeld/Model%202.xcdatamodel/contents"
    ),
    ("a:b/50%#?.ckdb", "a%3Ab/50%25%23%3F.ckdb"), ("Größe+", "Gr%C3%B6%C3%9Fe%2B"),
    ("/tmp/a b", "file:///tmp/a%20b"),
  ])
  func `is a URI whatever characters it has`(path: String, uri: String) {
    #expect(RepositoryPath(path, options: ReportOptions()).uri == uri)
  }
}
