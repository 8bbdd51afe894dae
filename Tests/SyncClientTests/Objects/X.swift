import Testing
@testable import SyncClient
