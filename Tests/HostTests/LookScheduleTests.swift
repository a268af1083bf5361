import Testing

@testable import FileProviderHost

@Suite("The schedule of looks")
struct LookScheduleTests {
    /// One that has nothing to look at.
    private static func idle() -> LookSchedule {
        var looks = LookSchedule()
        let hasBegun = looks.begin(at: .zero)
        #expect(hasBegun)
        looks.end(isLeft: false, at: .zero) { .seconds($0) }
        return looks
    }

    @Test("begins with one look, and rests where nothing is owed")
    func start() {
        let looks = Self.idle()
        #expect(looks.next == nil)
        #expect(!looks.isActive(at: .seconds(1000)))
    }

    @Test("waits longer each time that something is left")
    func pauses() {
        var looks = Self.idle()
        looks.note(at: .seconds(1))
        var now = Duration.seconds(1)
        for count in 1...4 {
            let hasBegun = looks.begin(at: now)
            #expect(hasBegun)
            looks.end(isLeft: true, at: now) { .seconds($0 * 10) }
            #expect(looks.next == now + .seconds(count * 10))
            #expect(!looks.isActive(at: now))
            // What is known to be owed already is no reason to hurry.
            looks.note(at: now)
            let isEarly = looks.begin(at: now)
            #expect(!isEarly)
            now += .seconds(count * 10)
        }
    }

    @Test(
        "has its pause also after a look during which more came to be owed",
        arguments: [true, false])
    func more(isLeft: Bool) {
        var looks = Self.idle()
        looks.note(at: .zero)
        let hasBegun = looks.begin(at: .zero)
        #expect(hasBegun)
        looks.note(at: .seconds(1))
        let isSecond = looks.begin(at: .seconds(5))
        #expect(!isSecond)
        looks.end(isLeft: isLeft, at: .seconds(5)) { .seconds($0 * 10) }
        #expect(looks.next == .seconds(15))
    }

    @Test("has one look after another where somebody hurries, and says which")
    func hurry() {
        var looks = Self.idle()
        let first = looks.hurry(at: .seconds(3))
        #expect(first == 2)
        let hasBegun = looks.begin(at: .seconds(3))
        #expect(hasBegun)
        // The one that goes on may have passed what is new.
        let second = looks.hurry(at: .seconds(4))
        #expect(second == 3)
        looks.end(isLeft: true, at: .seconds(5)) { .seconds($0 * 10) }
        #expect(looks.ended == 2)
        let goesOn = looks.begin(at: .seconds(5))
        #expect(goesOn)
        looks.end(isLeft: false, at: .seconds(6)) { .seconds($0 * 10) }
        #expect(looks.ended == 3)
        #expect(!looks.isActive(at: .seconds(1000)))
    }
}
