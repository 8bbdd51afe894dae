/// The types of what the cases of an enumeration hold, which no part of the standard library tells.
///
/// It reads what the compiler writes beside each type: `TargetEnumDescriptor` in
/// https://github.com/swiftlang/swift/blob/main/include/swift/ABI/Metadata.h and `FieldDescriptor` in
/// https://github.com/swiftlang/swift/blob/main/include/swift/RemoteInspection/Records.h. Where anything is not as it
/// should be there is no answer.
enum EnumerationParts {
  /// The types; nil where they cannot be told, as of a type that was compiled without them.
  static func types(of type: any Any.Type) -> [any Any.Type]? {
    let metadata = unsafeBitCast(type, to: UnsafePointer<UnsafeRawPointer>.self)
    guard metadata.withMemoryRebound(to: Int.self, capacity: 1, { $0.pointee }) == kind else {
      return nil
    }
    // The second word leads to the descriptor, which has numbers of 32 bits: the fifth leads to the fields, the sixth
    // is the number of cases with payloads in its lower 24 bits, the seventh that of others.
    let descriptor = metadata[1]
    let payloads = Int(descriptor.load(fromByteOffset: 20, as: UInt32.self) & 0xFF_FFFF)
    if payloads == 0 { return [] }
    guard let fields = target(of: descriptor + 16) else { return nil }
    let others = Int(descriptor.load(fromByteOffset: 24, as: UInt32.self))
    // Of the fields: the size of a record, and how many there are, one for each case.
    let size = Int(fields.load(fromByteOffset: 10, as: UInt16.self))
    guard fields.load(fromByteOffset: 12, as: UInt32.self) == payloads + others else { return nil }
    var found: [any Any.Type] = []
    for number in 0..<(payloads + others) {
      // Behind its flags a record has the name of what the case holds, in the form that symbols have.
      guard let name = target(of: fields + 16 + number * size + 4) else { continue }
      let bytes = name.assumingMemoryBound(to: UInt8.self)
      // The arguments of a generic type are behind the address of its descriptor.
      guard
        let part = _getTypeByMangledNameInContext(
          bytes, UInt(length(of: bytes)), genericContext: descriptor,
          genericArguments: UnsafeRawPointer(metadata + 2))
      else { return nil }
      found.append(part)
    }
    // A case that holds a type without values, or of no size, counts as one without a payload.
    return found.count >= payloads ? found : nil
  }

  /// What the metadata of an enumeration begins with: `MetadataKind.def` beside `Metadata.h`.
  static let kind = 0x201

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
