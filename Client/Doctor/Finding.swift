/// What came of looking at one thing, for people and for scripts.
package struct Finding: Codable, Sendable, Equatable {
    package enum Verdict: String, Codable, Sendable {
        case fine
        /// It works, and somebody should know of it.
        case warning
        /// Something does not work.
        case wrong
        /// What is kept on this device does not agree.
        case damaged
    }

    /// Which thing it was. Words are added, and never renamed.
    package let check: String
    package let verdict: Verdict
    /// The name of the domain that it is about; nil where it is about all of them.
    package let domain: String?
    /// What is so.
    package let message: String
    /// What to do about it; nil where all is well.
    package let remedy: String?

    package init(
        _ check: String, _ verdict: Verdict, domain: String? = nil, _ message: String,
        remedy: String? = nil
    ) {
        self.check = check
        self.verdict = verdict
        self.domain = domain
        self.message = message
        self.remedy = remedy
    }
}
