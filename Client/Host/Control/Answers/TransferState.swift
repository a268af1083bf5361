/// How far all that is on its way in one direction has come.
package struct TransferState: Codable, Sendable, Equatable {
    package var files: Int
    package var completedFiles: Int
    package var bytes: Int64
    package var completedBytes: Int64

    init(_ totals: TransferTotals) {
        files = totals.files
        completedFiles = totals.completedFiles
        bytes = totals.bytes
        completedBytes = totals.completedBytes
    }
}
