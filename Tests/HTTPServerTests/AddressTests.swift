@testable import HTTPServer
import Testing

struct AddressTests {
  @Test func `addresses are written as people write them`() {
    #expect(RemoteAddress.ipv4(0x7F00_0001, port: 80).description == "127.0.0.1:80")
    #expect(RemoteAddress.ipv6(high: 0, low: 1, port: 80).description == "[::1]:80")
    #expect(
      RemoteAddress.ipv6(high: 0x2001_0DB8_0000_0000, low: 0x0000_0000_0000_0001, port: 1).host
        == "2001:db8::1")
    #expect(
      RemoteAddress.ipv6(high: 0x2001_0000_0001_0000, low: 0x0000_0000_0002_0003, port: 1).host
        == "2001:0:1::2:3")
    #expect(RemoteAddress.ipv6(high: 0, low: 0, port: 1).host == "::")
    #expect(
      RemoteAddress.ipv6(high: 0x1_0002_0003_0004, low: 0x5_0006_0007_0000, port: 1).host
        == "1:2:3:4:5:6:7:0")
    #expect(RemoteAddress.ipv6(high: 0, low: 0xFFFF_0A00_0001, port: 1).host == "10.0.0.1")
    #expect(RemoteAddress.local.description == "local")
  }
}
