import BasketSupport

/// What the trials have in common: when they run, and how they tell what they have measured.
enum Trial {
    private static let variables = ProcessEnvironment.variables()

    static let isWanted = variables["BASKET_TRIALS"] != nil && Laptop.isPossible

    /// The one program that a trial of many is about; nil for all of them.
    static let program = variables["BASKET_TRIAL_OF"]

    /// How long the server is away where a trial is about that.
    static let offlineSeconds = variables["BASKET_TRIALS_OFFLINE"].flatMap { Int($0) } ?? 60

    /// Prints what somebody who looks for figures looks for.
    static func tell(_ line: String) {
        print("trial: \(line)")
    }

    /// The same of how long something takes.
    @discardableResult
    static func timed<Value>(_ what: String, _ body: () throws -> Value) rethrows -> Value {
        let began = Moment.now
        let value = try body()
        let time = (Moment.now - began).components
        let tenths = time.seconds * 10 + time.attoseconds / 100_000_000_000_000_000
        tell("\(what): \(tenths / 10).\(tenths % 10) s")
        return value
    }
}
