import Testing

@testable import SQLiteDriver
