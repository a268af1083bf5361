/// How much room there is.
package struct VolumeStatistics: Sendable {
    package var blockSize: Int
    package var blocks: UInt64
    package var freeBlocks: UInt64
    /// What programs may take of these.
    package var availableBlocks: UInt64
    package var files: UInt64
    package var freeFiles: UInt64
    package var longestName: Int

    package init(
        blockSize: Int, blocks: UInt64, freeBlocks: UInt64, availableBlocks: UInt64,
        files: UInt64, freeFiles: UInt64, longestName: Int
    ) {
        self.blockSize = blockSize
        self.blocks = blocks
        self.freeBlocks = freeBlocks
        self.availableBlocks = availableBlocks
        self.files = files
        self.freeFiles = freeFiles
        self.longestName = longestName
    }
}
