/// What a type is, as far as its parts can be told.
///
/// It is the first word of the type's metadata:
/// https://github.com/swiftlang/swift/blob/main/include/swift/ABI/MetadataKind.def
enum TypeKind: Int {
  case structure = 0x200
  case enumeration = 0x201
  case tuple = 0x301

  /// Nil for what is none of these.
  init?(of type: any Any.Type) {
    self.init(rawValue: unsafeBitCast(type, to: UnsafePointer<Int>.self).pointee)
  }
}
