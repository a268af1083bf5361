/// Which names a domain takes, and when two of them are the same.
package enum CaseRule: String, Sendable, CaseIterable {
    /// Any name that Linux takes; names are the same when their bytes are.
    case posix
    /// Only names that Windows and macOS hold too; the same without regard to case and Unicode form.
    case portable
}
