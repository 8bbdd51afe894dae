import ObjectStore

func needs<Value: Sendable>(_ value: Value) {}

func send(_ context: ModelContext, _ object: ManagedObject) {
  // error: conformance of 'ModelContext' to 'Sendable' is unavailable
  needs(context)
  // error: conformance of 'ManagedObject' to 'Sendable' is unavailable
  needs(object)
}
