import FileProvider

/// How much a host does at once.
package struct HostSettings: Sendable {
    package var uploads = 8
    /// Contents up to this length stand in a line of their own: an extension may send many in one request, and
    /// has to have them for that. Both lines together are no more than an extension may ask for.
    package var smallContent: Int64 = 64 << 10
    package var smallUploads = 120
    package var metadataChanges = 32
    package var downloads = 8
    /// As for uploads. What somebody waits for stands in no line with them.
    package var smallDownloads = 120
    /// Parts that somebody waits for: they stand in no line with what is fetched in the background.
    package var reads = 16
    /// What is longer is fetched in parts of this length, so that a fetch that breaks off goes on where it was.
    package var partLength: Int64 = 16 << 20
    /// Parts begin and end at multiples of this, which is a power of two, unless they end with the file.
    package var partAlignment: Int64 = 64 << 10
    /// What is shorter comes as a whole.
    package var shortLength: Int64 = 256 << 10
    /// Who has read so much in a row, and a good part of the file, goes on, and was not just looking what it is.
    package var intentLength: Int64 = 8 << 20
    /// Parts are shorter where more would not come in a moment; but not shorter than this.
    package var leastPartLength: Int64 = 1 << 20
    /// Of a folder whose small files somebody reads one after another, so many are fetched before they are asked for,
    /// and no more bytes than these.
    package var filesAhead = 96
    package var bytesAhead: Int64 = 4 << 20
    /// What nobody has written to for so long is sent, though somebody has it open still;
    package var quietTime = Duration.seconds(5)
    /// and what is written to on and on, after so long.
    package var longestUnsent = Duration.seconds(300)
    package var contentLimits = ContentLimits()
    /// Whether people may have bytes go from here; the host itself and the extension always may.
    package var allowsUserControlledEviction = true
    /// For whom nothing is brought here.
    package var nonMaterialising = ProgramRules.usual
    /// What the person has chosen by now; nil where nobody chooses anything, or that cannot be read just now.
    package var choices: @Sendable () -> PersonalChoices? = { nil }
    /// So long a call of the extension's may stand still before it is given up.
    package var patience = Duration.seconds(300)
    /// So often, at most, the extension is told that other items are materialised or pending than before; and
    /// so long what is pending has waited at least.
    package var setInterval = Duration.seconds(2)
    /// So many items the pending set holds.
    package var pendingLimit = 1000
    /// Whether many removals at once wait until somebody confirms them.
    package var holdsManyRemovals = true

    /// As the domain has them.
    package var testingModes: NSFileProviderDomain.TestingModes = []
    /// As the domain has it: without, nothing can be moved to the trash, as if there was none.
    package var supportsSyncingTrash = true
    /// Whether the provider may be asked to search, as the domain's `supportsStringSearchRequest` says.
    package var supportsSearch = false

    package init() {}

    /// Whether nothing is scheduled but what a test runs.
    package var isInteractive: Bool { testingModes.contains(.interactive) }

    /// A range of a content, from one multiple of the alignment to another one, or to the end.
    func aligned(_ range: Range<Int64>, size: Int64) -> Range<Int64> {
        let start = range.lowerBound / partAlignment * partAlignment
        // Whatever length an extension names, and somebody asks for: nothing is added to what may be the largest.
        let last = min(range.upperBound, size)
        let missing = (partAlignment - last % partAlignment) % partAlignment
        return start..<max(start, size - last < missing ? size : last + missing)
    }

    func limit(of category: CallCategory) -> Int {
        switch category {
        case .content: uploads
        case .smallContent: smallUploads
        case .metadata: metadataChanges
        case .download: downloads
        case .smallDownload: smallDownloads
        case .reading: reads
        }
    }
}
