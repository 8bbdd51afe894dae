extension JSONWriter {
  /// Writes a key and its value.
  public mutating func member(_ key: StaticString, _ value: String) {
    self.key(key)
    string(value)
  }

  /// Writes a key and its value.
  public mutating func member(_ key: StaticString, _ value: Int64) {
    self.key(key)
    integer(value)
  }

  /// Writes a key and its value.
  public mutating func member(_ key: StaticString, _ value: Int) {
    self.key(key)
    integer(Int64(value))
  }

  /// Writes a key and its value.
  public mutating func member(_ key: StaticString, _ value: Double) {
    self.key(key)
    double(value)
  }

  /// Writes a key and its value.
  public mutating func member(_ key: StaticString, _ value: Bool) {
    self.key(key)
    boolean(value)
  }

  /// Writes nothing at all for nil.
  public mutating func member(_ key: StaticString, ifPresent value: String?) {
    if let value { member(key, value) }
  }

  /// Writes nothing at all for nil.
  public mutating func member(_ key: StaticString, ifPresent value: Int64?) {
    if let value { member(key, value) }
  }
}
