// `import Contrail` is the one import of a program that keeps its objects in a store. What it declares
// has SwiftData's names; of the modules below, only what such a program has to name comes with it.
@_exported public import enum DataModel.MappingProfile
@_exported public import struct DataModel.RecordName
@_exported public import Foundation
@_exported public import struct ObjectStore.StoreError
@_exported public import Observation
@_exported public import protocol PredicateSQL.QueryValueConvertible
@_exported public import struct RecordWire.RecordField
@_exported public import struct RecordWire.RecordFields
@_exported public import enum RecordWire.RecordValue
@_exported public import struct SyncClient.FailedChange
@_exported public import struct SyncClient.LegacyField
@_exported public import protocol SyncClient.RecordTransport
@_exported public import enum SyncClient.SyncAuthor
@_exported public import struct SyncClient.SyncCall
@_exported public import struct SyncClient.SyncConfiguration
@_exported public import struct SyncClient.SyncCredentials
@_exported public import class SyncClient.SyncEngine
@_exported public import struct SyncClient.SyncError
@_exported public import enum SyncClient.SyncEvent
@_exported public import struct SyncClient.SyncProgress
@_exported public import struct SyncClient.SyncReply
@_exported public import enum SyncClient.SyncReport
@_exported public import struct SyncClient.SyncStatus
@_exported public import struct SyncClient.SyncSummary
@_exported public import struct SyncClient.SyncVerification
@_exported public import struct SyncClient.TransportFailure
@_exported public import struct SyncClient.UnsyncableSchema
@_exported public import struct SyncCore.FieldConflict
@_exported public import enum SyncCore.MergeRule
@_exported public import struct SyncCore.SyncMachine
@_exported public import enum SyncCore.Trouble
@_exported public import enum SyncCore.TroublePolicy

public import DataModel
public import ObjectStore

/// What an attribute's values are, as schemas and tools call it.
public typealias SchemaAttributeType = DataModel.Schema.AttributeType

/// The values of one object, which a model stands for; only code that `@Model` wrote uses it.
public typealias ManagedObject = ObjectStore.ManagedObject

/// A model's hold on its object; only code that `@Model` wrote uses it.
public typealias ModelHandle = ObjectStore.ModelHandle
