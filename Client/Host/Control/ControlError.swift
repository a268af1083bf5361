/// Why a request was not done: a code that stays, what happened to what, and what to do next.
package struct ControlError: Error, Codable, Sendable, Equatable {
    package enum Code: String, Codable, Sendable, CaseIterable {
        // The request itself.
        case tooLong = "too_long"
        case notJSON = "not_json"
        case wrongVersion = "wrong_version"
        case unknownRequest = "unknown_request"
        case badField = "bad_field"
        // What it is about.
        case noSuchItem = "no_such_item"
        case noSuchAction = "no_such_action"
        case noSuchService = "no_such_service"
        case noSuchOperation = "no_such_operation"
        case noSuchDomain = "no_such_domain"
        case notSupported = "not_supported"
        case notInteractive = "not_interactive"
        case outdated = "outdated"
        // What stands in its way.
        case inUse = "in_use"
        case exists = "exists"
        case unsent = "unsent"
        case onlyHere = "only_here"
        case pinned = "pinned"
        case noRoom = "no_room"
        case disconnected = "disconnected"
        case interrupted = "interrupted"
        case notSignedIn = "not_signed_in"
        case unreachable = "unreachable"
        case quotaExceeded = "quota_exceeded"
        case cannotSynchronise = "cannot_synchronise"
        case providerFailed = "provider_failed"
        case cancelled = "cancelled"
        case failed = "failed"
    }

    package var code: Code
    /// What happened, to which item.
    package var message: String
    /// What to do next.
    package var remedy: String
    /// Which item it was, where it was one of several.
    package var item: ControlItem?

    package init(_ code: Code, _ message: String, _ remedy: String, item: ControlItem? = nil) {
        self.code = code
        self.message = message
        self.remedy = remedy
        self.item = item
    }

    /// A member of a request is not what it may be.
    package init(bad field: String, _ what: String) {
        self.init(.badField, "“\(field)” is \(what).", "docs/control.md has what it may be.")
    }
}
