import BasketSupport

/// One play of the simulation.
struct Run: Sendable, CustomStringConvertible {
    let seed: UInt64
    let steps: Int
    var habits = Habits.second

    var description: String { "seed \(seed), \(steps) steps, \(habits.rawValue) habits" }

    // What differs between scenarios for good, each by other seeds.

    /// Whether names are the same without regard to case.
    var caseRule: CaseRule { habits >= .third && seed % 3 == 1 ? .portable : .posix }

    /// Whether some files are too long for one request.
    var hasLongFiles: Bool { habits >= .third && seed / 4 % 3 == 0 }

    /// Whether there is a second account, with a domain of its own.
    var hasStrangers: Bool {
        switch habits {
        case .first, .second: false
        case .third, .fourth: seed % 5 < 2
        case .fifth: seed % 3 == 0
        }
    }

    /// Whether the server may die, and lose its power.
    var serverDies: Bool {
        switch habits {
        case .first, .second: false
        case .third: seed % 2 == 0
        case .fourth: seed % 4 != 0
        case .fifth: true
        }
    }

    /// Whether devices offer what they have to the provider once more, after which less can be expected.
    var hasOffers: Bool {
        switch habits {
        case .first: true
        case .second, .third: seed % 2 == 0
        case .fourth: seed % 3 == 0
        case .fifth: seed % 3 == 1
        }
    }

    /// What somebody calls something, on a device: a secret where others may not even know that name.
    func name(_ name: String, on device: String) -> String {
        guard habits >= .fifth, hasStrangers, let number = device.last?.wholeNumberValue,
            number > 2
        else { return name }
        return "secret " + name
    }

    /// Whether a power cut takes names from disks, and not bytes alone.
    var disksForgetNames: Bool { habits >= .fifth }

    /// Whether the server soon forgets what is not current.
    var serverForgets: Bool { habits >= .third && seed % 7 < 3 }

    /// So often, what is expensive to look at is looked at: after each step by some.
    var stepsBetweenLooks: Int { seed % 8 == 7 ? 1 : 16 }
}
