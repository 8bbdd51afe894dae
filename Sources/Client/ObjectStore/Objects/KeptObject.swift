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
    /// They could not be made of what the property was set to.
    case refused
  }

  /// Makes a property's slots of it.
  func encode(into object: ManagedObject, at slot: Int) {}
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
  /// Whether reading the slots would give the value again, so that they need not be made to read the property.
  public let isExact: Bool
  private let encoding: (Value, ManagedObject, Int) -> Void

  @usableFromInline
  init(_ value: Value, by encoding: ValueEncoding<Value>) {
    self.value = value
    self.encoding = encoding.encode
    isExact = encoding.isExact
  }

  override var state: State { .unencoded }

  override func encode(into object: ManagedObject, at slot: Int) {
    encoding(value, object, slot)
  }
}

/// How a property's slots are made of a value.
public struct ValueEncoding<Value> {
  /// Sets the property that the slot is, or is the first part of.
  let encode: (Value, ManagedObject, Int) -> Void
  /// Whether reading the slots gives an equal value again, whatever it is.
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

/// Stands in the place of a value that could not be encoded, until the property is set anew.
final class RefusedValue: KeptObject {
  let problem: StoreError

  init(_ problem: StoreError) { self.problem = problem }

  override var state: State { .refused }
}
