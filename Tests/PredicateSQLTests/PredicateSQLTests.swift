import Testing

@testable import PredicateSQL
