/// What is to be measured, and where.
struct Order: Decodable, Sendable {
    enum Work: String, Decodable, Sendable {
        /// Takes in what the server tells.
        case catchUp
        /// Changes single items, and asks what is to be done.
        case plan
        /// Changes items without end, until somebody kills the process.
        case disturb
        /// Opens a replica and reads from it.
        case reopen
        /// Makes files, and sends them.
        case create
        /// Sends a large file, changes a byte of it, and sends that.
        case change
        /// Waits for what somebody else changes.
        case hear
        /// Brings all files of a folder here.
        case fetch
        /// Reads the files of a folder, one after another.
        case read
    }

    var work: Work
    /// The replica's folder; made where it is missing.
    var folder: String
    /// The server's address, and who asks it.
    var server: String?
    var token: String?
    /// So many times, or so many files.
    var count: Int?
    /// So long is each file.
    var size: Int?
    /// The file that is sent.
    var file: String?
}
