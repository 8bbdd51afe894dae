// `import Contrail` is the one import of a program that keeps its objects in a store. What it declares
// has SwiftData's names; of the modules below, only what such a program has to name comes with it.
@_exported public import struct DataModel.RecordName
@_exported public import Foundation
@_exported public import struct ObjectStore.StoreError
@_exported public import Observation
@_exported public import protocol PredicateSQL.QueryValueConvertible

public import DataModel
public import ObjectStore

/// What an attribute's values are, as schemas and tools call it.
public typealias SchemaAttributeType = DataModel.Schema.AttributeType

/// The values of one object, which a model stands for; only code that `@Model` wrote uses it.
public typealias ManagedObject = ObjectStore.ManagedObject

/// A model's hold on its object; only code that `@Model` wrote uses it.
public typealias ModelHandle = ObjectStore.ModelHandle
