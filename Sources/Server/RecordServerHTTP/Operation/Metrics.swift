import HTTPServer
import Synchronization

/// Counts what was asked and how long it took, for the page that Prometheus reads.
final class Metrics: Sendable {
  /// How long the requests to one operation took.
  struct Times: Sendable {
    var buckets = [Int](repeating: 0, count: Metrics.bounds.count)
    var count = 0
    var microseconds: Int64 = 0
  }

  /// The upper bounds of the histogram, in microseconds.
  static let bounds: [Int64] = [
    100, 250, 500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000,
    5_000_000,
  ]

  /// The requests to one operation.
  fileprivate struct Requests {
    /// How many went well.
    var fine = 0
    /// How many did not, by the code of the protocol's error.
    var failures: [String: Int] = [:]
    var times = Times()

    mutating func add(_ code: String?, _ microseconds: Int64) {
      if let code { failures[code, default: 0] += 1 } else { fine += 1 }
      times.add(microseconds)
    }

    /// How many had each code, in the order of codes.
    var counts: [(code: String, count: Int)] {
      let all = failures.merging(fine == 0 ? [:] : ["OK": fine]) { $0 + $1 }
      return all.sorted { $0.key < $1.key }.map { (code: $0.key, count: $0.value) }
    }
  }

  /// Counts the requests to one operation: whoever knows it need not look it up.
  final class Counter: Sendable {
    fileprivate let requests = Mutex(Requests())

    /// Counts a request.
    func add(code: String?, microseconds: Int64) {
      requests.withLock { $0.add(code, microseconds) }
    }
  }

  /// The counters by operation: `records/modify`, `signin`.
  private let counters = Mutex<[String: Counter]>([:])

  /// What counts the requests to an operation.
  func counter(_ operation: String) -> Counter {
    counters.withLock { counters in
      if let known = counters[operation] { return known }
      let counter = Counter()
      counters[operation] = counter
      return counter
    }
  }

  /// The page.
  func page(_ http: HTTPServerCounters?, _ gauges: [(name: String, help: String, value: Int64)])
    -> String
  {
    let requests = counters.withLock { $0 }.sorted { $0.key < $1.key }
      .map { ($0.key, $0.value.requests.withLock { $0 }) }.filter { $0.1.times.count > 0 }
    var page = MetricsPage()
    page.counter("contrail_requests_total", "Requests by operation and code.")
    for (operation, requests) in requests {
      for (code, count) in requests.counts {
        page.value(["operation": operation, "code": code], count)
      }
    }
    page.histogram("contrail_request_seconds", "How long requests took.")
    for (operation, requests) in requests { page.times(operation, requests.times) }
    if let http { page.add(http) }
    for gauge in gauges {
      page.gauge(gauge.name, gauge.help)
      page.value([:], Int(gauge.value))
    }
    return page.text
  }
}

extension Metrics.Times {
  mutating func add(_ time: Int64) {
    count += 1
    microseconds += time
    for (index, bound) in Metrics.bounds.enumerated() where time <= bound { buckets[index] += 1 }
  }
}

/// Text in the exposition format of Prometheus.
///
/// See https://prometheus.io/docs/instrumenting/exposition_formats/
struct MetricsPage {
  private(set) var text = ""
  private var name = ""

  mutating func counter(_ name: String, _ help: String) { begin(name, help, "counter") }
  mutating func gauge(_ name: String, _ help: String) { begin(name, help, "gauge") }
  mutating func histogram(_ name: String, _ help: String) { begin(name, help, "histogram") }

  private mutating func begin(_ name: String, _ help: String, _ kind: String) {
    self.name = name
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n"
  }

  mutating func value(_ labels: KeyValuePairs<String, String>, _ value: Int) {
    line("", labels.map { ($0.key, $0.value) }, "\(value)")
  }

  mutating func times(_ operation: String, _ times: Metrics.Times) {
    let label = ("operation", operation)
    for (bound, count) in zip(Metrics.bounds, times.buckets) {
      line("_bucket", [label, ("le", Self.seconds(bound))], "\(count)")
    }
    line("_bucket", [label, ("le", "+Inf")], "\(times.count)")
    line("_sum", [label], Self.seconds(times.microseconds))
    line("_count", [label], "\(times.count)")
  }

  mutating func add(_ http: HTTPServerCounters) {
    let rows: [(name: String, help: String, isGauge: Bool, value: Int)] = [
      ("contrail_http_connections_open", "Open connections.", true, http.connectionsOpen),
      ("contrail_http_connections_total", "Accepted connections.", false, http.connectionsAccepted),
      (
        "contrail_http_connections_refused_total", "Refused connections.", false,
        http.connectionsRefused
      ),
      ("contrail_http_streams_open", "Open streams.", true, http.streamsOpen),
      ("contrail_http_received_bytes_total", "Bytes received.", false, http.bytesIn),
      ("contrail_http_sent_bytes_total", "Bytes sent.", false, http.bytesOut),
      ("contrail_http_timeouts_total", "Connections ended by a deadline.", false, http.timeouts),
      (
        "contrail_http_overloads_total", "Requests and connections ended for want of memory.",
        false, http.overloads
      ),
      (
        "contrail_http_message_bytes", "Bytes of bodies and responses that are held.", true,
        http.messageBytesHeld
      ),
      (
        "contrail_tls_handshake_failures_total", "Failed TLS handshakes.", false,
        http.handshakeFailures
      ),
    ]
    for row in rows {
      if row.isGauge { gauge(row.name, row.help) } else { counter(row.name, row.help) }
      value([:], row.value)
    }
    counter("contrail_http_responses_total", "Responses by the first digit of their status.")
    for (digit, count) in http.responses.sorted(by: { $0.key < $1.key }) {
      value(["status": "\(digit)xx"], count)
    }
  }

  private mutating func line(_ suffix: String, _ labels: [(String, String)], _ value: String) {
    let list = labels.map { "\($0.0)=\"\(Self.escaped($0.1))\"" }.joined(separator: ",")
    text += name + suffix + (list.isEmpty ? "" : "{\(list)}") + " \(value)\n"
  }

  private static func escaped(_ text: String) -> String {
    text.map { character -> String in
      switch character {
      case "\\": "\\\\"
      case "\"": "\\\""
      case "\n": "\\n"
      default: String(character)
      }
    }.joined()
  }

  private static func seconds(_ microseconds: Int64) -> String {
    let (whole, part) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    let digits = String(part)
    let fraction = String(repeating: "0", count: 6 - digits.count) + digits
    return "\(whole).\(fraction)"
  }
}
