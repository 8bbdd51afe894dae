/// How large and how many assets may be, and how long what is sealed about them is good for.
public enum AssetLimits {
  /// The longest file, in bytes.
  public static let fileBytesMax: Int64 = 50 << 20
  /// How much of a file is read or written at once, in bytes.
  public static let chunkBytes = 64 << 10
  /// The most places for uploads, and the most files to use again, in one request.
  public static let itemsMax = 200
  /// The most files that one save can put into one record: each costs a look at its receipt.
  public static let filesPerSaveMax = 100
  /// How long a place takes an upload, in milliseconds: 15 minutes.
  public static let uploadLife: Int64 = 15 * 60 * 1000
  /// How long a file may wait for the record that it is for, in milliseconds: a day.
  public static let receiptLife: Int64 = 24 * 60 * 60 * 1000
  /// How long an address to download from is good for, in milliseconds: an hour.
  public static let downloadLife: Int64 = 60 * 60 * 1000
  /// How many files one transaction of a sweep looks at.
  public static let sweepBatch = 200
  /// The longest sealed text, in bytes: seven names of 255 bytes in base64 fit into it.
  public static let sealedTextBytesMax = 4096

  /// What was kept, or written, before that moment is in nobody's receipt any more.
  public static func oldest(now: Int64) -> Int64 { now.earlier(by: receiptLife) }
}

extension Int64 {
  /// The moment so much later; the last one where there is none.
  func later(by milliseconds: Int64) -> Int64 {
    let (moment, isOver) = addingReportingOverflow(milliseconds)
    return isOver ? .max : moment
  }

  /// The moment so much earlier; the first one where there is none.
  func earlier(by milliseconds: Int64) -> Int64 {
    let (moment, isOver) = subtractingReportingOverflow(milliseconds)
    return isOver ? .min : moment
  }
}
