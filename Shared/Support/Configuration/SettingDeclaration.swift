/// A setting whose type is set aside, so that a table holds all of them.
package protocol SettingDeclaration: Sendable {
    var name: String { get }
    var help: String { get }
    var isSecret: Bool { get }
    var isAllowedInFile: Bool { get }
    var placeholder: String? { get }
    var accumulates: Bool { get }
    var defaultText: String { get }
    /// The value in its own type, and as it would be written.
    func resolve(_ text: String?) throws(SettingMismatch) -> (value: any Sendable, text: String)
}
