/// How far all transfers of a direction have come since the last time that there were none.
package struct TransferTotals: Sendable, Equatable {
    package var files = 0
    package var completedFiles = 0
    package var bytes: Int64 = 0
    package var completedBytes: Int64 = 0

    package init() {}

    package var isIdle: Bool { files == 0 }
}
