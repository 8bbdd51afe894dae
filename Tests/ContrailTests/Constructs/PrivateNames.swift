import Contrail

/// Private, and so no name tells it from the one in another file.
private struct Badge: Codable {
  var name: String
}

@Model final class Watchman {
  private var badge = Badge(name: "")

  init() {}
}
