/// What a row keeps of a property beside its slots.
public class KeptObject {
  /// What it is to the slots.
  var state: State { .read }

  enum State {
    /// It was made of what is in them.
    case read
    /// They are to be made of it.
    case unencoded
    /// They are being made of it.
    case encoding
  }

  /// Makes a property's slots of it; returns what may be kept instead, as read out of them.
  func encode(into object: ManagedObject, at slot: Int) -> KeptObject? { nil }
}

/// What was read of a property.
public final class KeptValue<Value>: KeptObject {
  /// The value.
  public let value: Value

  init(_ value: Value) { self.value = value }
}

/// What a property was set to, of which nobody has needed the slots yet.
public final class UnencodedValue<Value>: KeptObject {
  // NB: unchecked, as in ManagedObject: no accessor calls out while it changes the value.
  /// The value, which the next one is written over: to set a property again and again allocates nothing.
  @exclusivity(unchecked) public var value: Value
  private let encoding: ValueEncoding<Value>

  @usableFromInline
  init(_ value: Value, by encoding: ValueEncoding<Value>) {
    self.value = value
    self.encoding = encoding
  }

  override var state: State { .unencoded }

  override func encode(into object: ManagedObject, at slot: Int) -> KeptObject? {
    encoding.encode(value, object, slot)
    return encoding.isExact ? KeptValue(value) : nil
  }
}

/// How a property's slots are made of a value.
public struct ValueEncoding<Value> {
  /// Sets the property that the slot is, or is the first part of.
  let encode: (Value, ManagedObject, Int) -> Void
  /// Whether reading the slots gives the value again, whatever it is.
  let isExact: Bool

  /// The way that `encode` sets a property.
  public init(isExact: Bool = false, _ encode: @escaping (Value, ManagedObject, Int) -> Void) {
    self.encode = encode
    self.isExact = isExact
  }
}

/// Stands in the place of a value that is being encoded.
final class ValueInWork: KeptObject {
  override var state: State { .encoding }
}
