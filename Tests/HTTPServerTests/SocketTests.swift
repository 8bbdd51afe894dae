import Testing

/// Tests over real sockets, one at a time: their clients block, and the threads of the pool are few.
@Suite(.serialized, .timeLimit(.minutes(5)))
enum SocketTests {}
