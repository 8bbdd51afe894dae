import SyncClient

/// Something that will happen at some time.
enum Event {
  /// Somebody edits on a device.
  case work(device: Int)
  /// Somebody wants a device to sync.
  case wish(device: Int)
  /// Something may have changed on the server.
  case hint(device: Int)
  /// Something was committed on a device.
  case hintOfWork(device: Int)
  /// The program decides after trouble.
  case resume(device: Int)
  /// What a device's machine asked for.
  case timer(device: Int, life: Int, number: Int)
  /// A request arrives at the server.
  case arrival(Letter)
  /// An answer arrives at a device; nil for a failed connection.
  case answer(device: Int, life: Int, call: Int, SyncReply?)
  case kill(device: Int)
  /// A device's program gets the later version of the schema.
  case upgrade(device: Int)
  case revive(device: Int)
  case partition(device: Int, until: Int64)
  case restart
  case promote
  /// The server loses something.
  case lose(ServerLoss)
  /// Somebody decides about trouble of a device.
  case decide(device: Int)
  /// Somebody looks at what has failed on a device.
  case choose(FailureChoice)
}

/// A request on its way.
struct Letter {
  var device: Int
  var life: Int
  var number: Int
  var call: SyncCall
  /// What the network does with the answer.
  var fate: LetterFate
  /// Whether it arrives when nobody waits for it any more, or a second time.
  var isStray = false
}

/// What becomes of a request that arrives.
enum LetterFate {
  /// It is answered after so many milliseconds.
  case answered(after: Int64)
  /// The answer is lost.
  case unanswered
  /// The answer breaks off, at this thousandth of its length.
  case truncated(at: Int, after: Int64)
  /// The server answers, and somebody else's answer takes the place of its own.
  case hidden(behind: Forgery, after: Int64)
  /// Something else answers, and the server never sees it.
  case forged(Forgery, after: Int64)
}
