import BasketBus
import Testing

@Suite("What is said on a bus")
struct BusValueTests {
    @Test(
        "is read as it was written",
        arguments: [
            .text(""), .text("für Ann"), .path("/a/b"), .flag(true), .flag(false), .bytes([]),
            .bytes([0, 255]), .list(of: "o", []), .list(of: "s", [.text("a"), .text("b")]),
            .texts(["b": "1", "a": "2"]), .texts([:]), .variant(.text("")),
            .variant(.list(of: "o", [.path("/")])),
            .structure([.path("/a"), .bytes([]), .bytes([1]), .text("text/plain")]),
            .list(of: "{sv}", [.pair(.text("a"), .variant(.texts(["b": "c"])))]),
        ] as [BusValue])
    func roundTrip(value: BusValue) throws {
        let message = try BusMessage(to: "a.b", "/", "a.b", "C").with(value, .flag(true))
        #expect(message.arguments == [value, .flag(true)])
    }
}
