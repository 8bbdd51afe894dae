import Foundation
import Testing

@testable import Contrail

private final class Instance {}
private enum Simple { case one, two }
private enum Loaded { case text(String), both(Int, label: Texts), one(only: Data), none }
private indirect enum Twig { case leaf(Int?), fork(Twig, Twig) }
private enum Choice<One, Other> { case one(One), others([Other]), both(One, Other) }
private enum Bare { case nothing(Void), text(String), never(Never) }
/// Enumerations that lead to one another by many ways.
private indirect enum Web<Left, Right> { case left(Left), right(Right), both([Left], [Right]), end }
private typealias Web4 = Web<
  Web<Web<Int, String>, Web<Int, Data>>, Web<Web<Int, UUID>, Web<Int, Date>>
>
private enum WithCase { case text(String), instance(Instance) }
private enum WithFunction { case function(() -> Void), nothing }
private struct Numbers { var a = 1, b: Double? }
private struct Texts { var name = "", parts: [String: [Numbers?]] = [:], when = Date() }
private struct Tree { var name = "", branches: [Tree] = [] }
private struct WithInstance { var name = "", instance = Instance() }
private struct WithAny { var name = "", any: Any = 1 }
private struct WithError { var name = "", error: any Error = CancellationError() }
private struct WithClosure { var name = "", closure = {} }
private struct WithWeak { var name = "", instance: Unmanaged<Instance>? }
private struct WithPointer { var number = 1, pointer: UnsafeMutablePointer<Int>? }
private struct WithTuple { var pair = ("", Instance()) }
private struct WithTexts { var pair = ("", name: [""]) }
private struct Around<Held> { var name = "", held: Held }

/// A type, and whether nobody who has a copy of a value of it can change the value.
private struct Row: CustomTestStringConvertible, Sendable {
  let type: any Any.Type
  let isPlain: Bool
  var testDescription: String { "\(type)" }

  static let all: [Row] =
    [
      Int.self, String.self, Data.self, URL?.self, [Decimal].self, Set<UUID>.self, Simple.self,
      Numbers.self, Texts.self, Tree.self, [Texts]?.self, [String: Tree].self, Around<Texts>.self,
      Range<String>.self, WithTexts.self, Loaded.self, Twig.self, Choice<Int, Texts>.self,
      [Loaded?].self,
      Around<Twig>.self, Bare.self, Web4.self, Web<Web4, [Web4]>.self, CancellationError.self,
      Never.self, FloatingPointSign.self,
    ].map { Row(type: $0, isPlain: true) }
    + [
      Instance.self, [Instance].self, Any.self, (any Error).self, WithCase.self, WithFunction.self,
      Choice<Instance, Int>.self, Choice<Int, Any>.self, Result<String, any Error>.self,
      WithInstance.self,
      WithAny.self, WithError.self, WithClosure.self, WithWeak.self, WithPointer.self,
      WithTuple.self, Around<Instance>.self, [Around<Any>].self,
      UnsafeRawPointer.self, OpaquePointer?.self, UnsafeMutableBufferPointer<Int>.self, Locale.self,
      TimeZone.self,
    ].map { Row(type: $0, isPlain: false) }
}

@Suite struct PlainTypeTests {
  @Test(arguments: Row.all)
  fileprivate func `a type is plain where no part of it can be changed from elsewhere`(row: Row) {
    #expect(HeldInstances.isPlain(row.type) == row.isPlain)
  }

  @Test func `what comes back from a coding as it was is texts, numbers and lists of them`() {
    let exact: [any Any.Type] = [
      [String].self, [Int]?.self, [String: Bool].self, [[UUID]].self, Set<Int>.self,
    ]
    let others: [any Any.Type] = [
      [URL].self, [Double].self, [Data].self, [String?].self, [Int: Int].self, [Simple].self,
      Texts.self,
    ]
    #expect(exact.allSatisfy { ExactCoding.isOf($0) })
    #expect(!others.contains { ExactCoding.isOf($0) })
  }
}
