/// That something was done, and nothing more is to be said of it.
package struct ControlDone: Codable, Sendable, Equatable {
    package init() {}
}
