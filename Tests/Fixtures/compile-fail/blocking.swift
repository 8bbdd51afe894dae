import ObjectStore

// Blocking is for synchronous code.
func wait(_ background: BackgroundContext) async {
  // error: unavailable from asynchronous contexts; await perform instead
  background.performAndWait { context in context.rollback() }
}
