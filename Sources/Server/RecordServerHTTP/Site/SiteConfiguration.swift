import RecordServer

/// What a site is told by whoever runs it.
public struct SiteConfiguration: Sendable {
  /// The address at which clients reach the site, without a slash at its end: it stands in the
  /// addresses that the site gives out.
  public var publicURL: String
  /// How long a body of a request may be, in bytes.
  public var bodyBytesMax = 16 << 20
  /// How long a file may be that is uploaded, in bytes.
  public var assetBytesMax = Int(AssetLimits.fileBytesMax)
  /// How long the body of a form, of a probe or of anything else small may be, in bytes.
  public var smallBodyBytesMax = 64 << 10
  /// How often those who wait for changes are shown that the server is there, in seconds.
  public var streamReminderSeconds = 25
  /// How many streams of changes a user may have open, of one environment of a container.
  public var userStreamsMax = 64
  /// Who may read `/metrics`: everyone, or who sends this token as a bearer.
  public var metricsToken: String?

  /// Answers under `publicURL`.
  public init(publicURL: String) { self.publicURL = publicURL }
}
