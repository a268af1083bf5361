/// Something that is done in the kernel, and may wait there for a program, which may itself wait for the answer to a
/// question.
package enum Errand: Equatable, Sendable {
    /// Tells the kernel what it has to forget, in its own words.
    case tell([UInt8])
    case makeFolder(String)
    case makeSymlink(String)
    case makeFile(String)
    case removeFolder(String)
    case removeFile(String)
    /// To where nothing is; and nothing but what is shown under that number.
    case move(String, to: String, of: UInt64)
    /// Opens a file as who writes to it does.
    case touchContent(String)
    case touchAttributes(String)
    /// Looks up a name, which changes nothing.
    case look(String)
}
