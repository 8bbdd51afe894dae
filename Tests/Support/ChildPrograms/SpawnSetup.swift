import Glibc

/// What happens in a new process before its program begins.
///
/// The corresponding C functions are those of `posix_spawn_file_actions` and `posix_spawnattr`.
struct SpawnSetup {
  private var actions = posix_spawn_file_actions_t()
  private var attributes = posix_spawnattr_t()

  /// An error of the system by its number.
  struct SystemError: Error { var number: Int32 }

  init() {
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
  }

  mutating func end() {
    posix_spawn_file_actions_destroy(&actions)
    posix_spawnattr_destroy(&attributes)
  }

  /// Makes `file` the other file, or nothing; leaves it as it is if neither is asked for.
  mutating func connect(_ file: Int32, to other: Int32?, nowhere: Bool) {
    if let other {
      posix_spawn_file_actions_adddup2(&actions, other, file)
    } else if nowhere {
      posix_spawn_file_actions_addopen(&actions, file, "/dev/null", O_RDWR, 0)
    }
  }

  /// Starts the program: `PATH` of the environment here says where it is.
  mutating func start(
    _ command: [String], environment: [String: String]?
  ) -> Result<pid_t, SystemError> {
    resetSignals()
    let words = CStrings(command)
    let variables = environment.map { CStrings($0.map { "\($0.key)=\($0.value)" }) }
    var id = pid_t()
    let number = posix_spawnp(
      &id, command.first ?? "", &actions, &attributes, words.pointers,
      variables?.pointers ?? environ)
    return number == 0 ? .success(id) : .failure(SystemError(number: number))
  }

  /// Servers in this process ignore `SIGPIPE`, and threads block signals: a child would begin like that.
  private mutating func resetSignals() {
    var (none, pipe) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigemptyset(&pipe)
    sigaddset(&pipe, SIGPIPE)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &pipe)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
  }
}

/// A list of C strings that ends with a null pointer.
private final class CStrings {
  let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  init(_ strings: [String]) {
    count = strings.count
    pointers = .allocate(capacity: count + 1)
    for (index, string) in strings.enumerated() {
      (pointers + index).initialize(to: strdup(string))
    }
    (pointers + count).initialize(to: nil)
  }

  deinit {
    for index in 0..<count { free(pointers[index]) }
    pointers.deinitialize(count: count + 1)
    pointers.deallocate()
  }
}
