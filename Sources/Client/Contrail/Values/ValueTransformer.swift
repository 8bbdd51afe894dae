import Foundation
import Synchronization

/// Makes one value of another, and back; for attributes that are `.transformable(by:)`.
///
/// Foundation on Linux has no such class. Subclasses override `transformedValue`, which makes `Data` of a
/// value, and `reverseTransformedValue`.
open class ValueTransformer {
  private static let known = Mutex<[String: Maker]>([:])

  /// Makes or holds a transformer.
  private struct Maker: Sendable {
    var make: @Sendable () -> ValueTransformer
  }

  /// Makes a transformer.
  public required init() {}

  /// What the transformer is registered under.
  open class var name: String { String(describing: self) }

  /// Makes the transformer of `type` known under a name.
  public static func setValueTransformer(_ type: ValueTransformer.Type, forName name: String) {
    known.withLock { $0[name] = Maker { type.init() } }
  }

  /// A transformer of the class that is known under a name.
  public static func valueTransformer(forName name: String) -> ValueTransformer? {
    known.withLock { $0[name] }?.make()
  }

  /// What is stored for a value; nil where it cannot be.
  open func transformedValue(_ value: Any?) -> Any? { nil }

  /// The value that something stored stands for; nil where it cannot be read.
  open func reverseTransformedValue(_ value: Any?) -> Any? { nil }
}
