import BasketModels
import Testing

@Suite("Identifiers and anchors")
struct IdentifierTests {
    @Test("have one spelling", arguments: [1, 35, 36, 1_234_567, Int64.max])
    func roundTrip(number: Int64) {
        let text = ItemID(rawValue: number).description
        #expect(ItemID(text)?.rawValue == number)
        #expect(ItemID("0" + text) == nil)
    }

    @Test(
        "are nothing else",
        arguments: ["", "0", "A", "-1", " 1", "1 ", "zzzzzzzzzzzzz", "11111111111111"])
    func refused(text: String) {
        #expect(ItemID(text) == nil)
    }

    @Test(
        "keep all that an anchor says",
        arguments: [
            Anchor(epoch: 1, rank: 0), Anchor(epoch: .max, rank: .max - 1),
            Anchor(epoch: 7, rank: 9, item: ItemID(rawValue: 3)),
            Anchor(epoch: 7, rank: 9, item: ItemID(rawValue: 3), listedSince: 0),
        ])
    func anchors(anchor: Anchor) {
        #expect(Anchor(anchor.description) == anchor)
    }

    @Test(
        "of an anchor are two to four",
        arguments: ["", "1", "1-", "-1", "1-1-", "1-1-1-1-1", "1--1"])
    func broken(text: String) {
        #expect(Anchor(text) == nil)
    }
}
