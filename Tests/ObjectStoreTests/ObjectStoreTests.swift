import Testing

@testable import ObjectStore
