/// What the compiler writes beside an enumeration, which no part of the standard library tells.
///
/// It is `TargetEnumDescriptor` in https://github.com/swiftlang/swift/blob/main/include/swift/ABI/Metadata.h and
/// `FieldDescriptor` in https://github.com/swiftlang/swift/blob/main/include/swift/RemoteInspection/Records.h.
struct EnumerationRecord {
  /// How many cases hold something, and how many do not.
  let (payloadCount, otherCount): (Int, Int)
  /// The words of the type's metadata: what it is, the address of its descriptor, the arguments of a generic type.
  private let metadata: UnsafePointer<UnsafeRawPointer>
  private var descriptor: UnsafeRawPointer { metadata[1] }

  /// Nil for a type that is no enumeration.
  init?(_ type: any Any.Type) {
    guard TypeKind(of: type) == .enumeration else { return nil }
    metadata = unsafeBitCast(type, to: UnsafePointer<UnsafeRawPointer>.self)
    // A descriptor has numbers of 32 bits: of the sixth the lower 24 bits count cases with payloads, the seventh others.
    payloadCount = Int(metadata[1].load(fromByteOffset: 20, as: UInt32.self) & 0xFF_FFFF)
    otherCount = Int(metadata[1].load(fromByteOffset: 24, as: UInt32.self))
  }

  /// The types of what the cases hold; nil where they cannot be told, as of a type that was compiled without them.
  var payloadTypes: [any Any.Type]? {
    if payloadCount == 0 { return [] }
    // The fifth number leads to the fields, which have the size of a record, and how many there are: one for each case.
    guard let fields = Self.target(of: descriptor + 16) else { return nil }
    let size = Int(fields.load(fromByteOffset: 10, as: UInt16.self))
    let count = payloadCount + otherCount
    guard fields.load(fromByteOffset: 12, as: UInt32.self) == count else { return nil }
    var found: [any Any.Type] = []
    for number in 0..<count {
      // Behind its flags a record has the name of what the case holds, in the form that symbols have.
      guard let name = Self.target(of: fields + 16 + number * size + 4) else { continue }
      guard let type = type(named: name) else { return nil }
      found.append(type)
    }
    // A case that holds a type without values, or of no size, counts as one without a payload.
    return found.count >= payloadCount ? found : nil
  }

  private func type(named name: UnsafeRawPointer) -> (any Any.Type)? {
    let bytes = name.assumingMemoryBound(to: UInt8.self)
    return _getTypeByMangledNameInContext(
      bytes, UInt(Self.length(of: bytes)), genericContext: descriptor,
      genericArguments: UnsafeRawPointer(metadata + 2))
  }

  /// Where a number leads that says how far from itself that is; nil for 0, which leads nowhere.
  private static func target(of place: UnsafeRawPointer) -> UnsafeRawPointer? {
    let distance = place.load(as: Int32.self)
    return distance == 0 ? nil : place + Int(distance)
  }

  /// How long a name is, which ends with 0, and has addresses within it: of 4 bytes behind one of 1 to 0x17, of 8
  /// behind one of 0x18 to 0x1F (docs/ABI/Mangling.rst, symbolic references).
  private static func length(of name: UnsafePointer<UInt8>) -> Int {
    var end = 0
    while name[end] != 0 {
      switch name[end] {
      case 0x01...0x17: end += 5
      case 0x18...0x1F: end += 9
      default: end += 1
      }
    }
    return end
  }
}
