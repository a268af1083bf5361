import Testing

@testable import BasketConnection

@Suite("Places for requests")
struct TransferPlacesTests {
    private static func transfer(isLong: Bool = true, isAwaited: Bool = true) -> CurlTransfer {
        var request = TransportRequest("GET", "/")
        request.isLong = isLong
        request.isAwaited = isAwaited
        return CurlTransfer(request)
    }

    @Test("are kept free for what somebody waits for")
    func kept() {
        var places = TransferPlaces(16)
        for _ in 0..<20 { places.wait(Self.transfer(isAwaited: false)) }
        var taken = 0
        while places.next() != nil { taken += 1 }
        #expect(taken == 6)
        let awaited = (0..<3).map { _ in Self.transfer() }
        for transfer in awaited { places.wait(transfer) }

        #expect(places.next() === awaited[0])
        #expect(places.next() === awaited[1])
        #expect(places.next() == nil)
        // Short ones have theirs in any case.
        let short = Self.transfer(isLong: false)
        places.wait(short)
        #expect(places.next() === short)
    }

    @Test("go to what somebody waits for first, and to the others when there is nobody else")
    func order() {
        var places = TransferPlaces(2)
        let background = Self.transfer(isAwaited: false)
        let (first, second) = (Self.transfer(), Self.transfer())
        for transfer in [background, first, second] { places.wait(transfer) }

        #expect(places.next() === first)
        #expect(places.next() == nil)
        places.leave(first)
        places.forget(second)
        #expect(places.next() === background)
    }

    @Test("hold nothing of what has had one")
    func released() {
        var places = TransferPlaces(2)
        var first: CurlTransfer? = Self.transfer()
        weak let gone = first
        for transfer in [first, Self.transfer(), Self.transfer()] {
            transfer.map { places.wait($0) }
        }
        places.next().map { places.leave($0) }
        first = nil

        #expect(gone == nil)
        #expect(places.allWaiting.count == 2)
    }
}
