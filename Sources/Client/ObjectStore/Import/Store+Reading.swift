public import SQLiteDriver

// For modules that read rows with statements of their own.
extension Store {
  /// Lends a connection that reads: what `body` reads is of one moment.
  public func readRows<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    try read(body)
  }

  /// The bytes of a large value that is in a file beside the store, whose name its column has as text;
  /// nil when the file is gone.
  public func externalBytes(named name: String) throws -> [UInt8]? {
    try extras.values?.read(name)
  }

  /// Where the file of a large value is now, whose name its column has as text; nil when it is gone.
  ///
  /// Its bytes never change; the file goes some minutes after its value.
  public func externalPath(named name: String) -> String? { extras.values?.place(of: name) }
}

extension StoreLayout {
  /// A name as SQL writes it.
  public static func sqlName(_ name: String) -> String { quoted(name) }
}
