/// Who changes a store when records arrive.
public enum SyncAuthor {
  /// The author of what is imported: whoever looks for changes to send leaves it out.
  public static let name = "contrail.sync"
}
