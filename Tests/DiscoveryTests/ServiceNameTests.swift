import BasketDiscovery
import Testing

@Suite("A server's name on the network")
struct ServiceNameTests {
    @Test(
        "fits into what DNS has room for",
        arguments: [
            ("Family", "Family"), ("", "Basket"), ("  ", "Basket"), ("\u{1B}\n", "Basket"),
            ("Ann's\nserver", "Ann'sserver"),
            (String(repeating: "x", count: 70), String(repeating: "x", count: 63)),
            (String(repeating: "ä", count: 40), String(repeating: "ä", count: 31)),
            ("👩‍👩‍👧" + String(repeating: "👩‍👩‍👧", count: 9), String(repeating: "👩‍👩‍👧", count: 3)),
        ])
    func fits(name: String, told: String) {
        #expect(ServiceName(name).text == told)
        #expect(ServiceName(name).text.utf8.count <= ServiceName.mostBytes)
    }
}
