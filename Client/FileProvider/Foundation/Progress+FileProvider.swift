import Foundation

/// What Apple's `Progress` has and Foundation on Linux leaves out.
extension Progress {
    /// A progress of nothing in particular, for calls that are over before they return. On Apple's systems it
    /// is `Progress()`, and so it is here.
    public convenience init(unitCount: Int64 = 0) {
        self.init(totalUnitCount: unitCount)
    }

    /// What is done with files.
    public var fileOperationKind: FileOperationKind? {
        get { userInfo[.fileOperationKindKey] as? FileOperationKind }
        set { setUserInfoObject(newValue, forKey: .fileOperationKindKey) }
    }

    /// The file that is worked on.
    public var fileURL: URL? {
        get { userInfo[.fileURLKey] as? URL }
        set { setUserInfoObject(newValue, forKey: .fileURLKey) }
    }

    /// How many files there are.
    public var fileTotalCount: Int? {
        get { userInfo[.fileTotalCountKey] as? Int }
        set { setUserInfoObject(newValue, forKey: .fileTotalCountKey) }
    }

    /// How many of them are done.
    public var fileCompletedCount: Int? {
        get { userInfo[.fileCompletedCountKey] as? Int }
        set { setUserInfoObject(newValue, forKey: .fileCompletedCountKey) }
    }

    /// How many seconds are left.
    public var estimatedTimeRemaining: TimeInterval? {
        get { userInfo[.estimatedTimeRemainingKey] as? TimeInterval }
        set { setUserInfoObject(newValue, forKey: .estimatedTimeRemainingKey) }
    }

    /// How many bytes go by in a second.
    public var throughput: Int? {
        get { userInfo[.throughputKey] as? Int }
        set { setUserInfoObject(newValue, forKey: .throughputKey) }
    }

    /// How far an extension's call has come, from 0 to 1, as the system may ask on a thread of its own. Of a
    /// plain progress only the two counts are read, each of which is one word: its children may change just
    /// now, and are counted when they have finished.
    package var reportedFraction: Double {
        if let shared = self as? SharedProgress { return min(max(shared.fraction, 0), 1) }
        let (done, total) = (completedUnitCount, totalUnitCount)
        return total > 0 ? min(max(Double(done) / Double(total), 0), 1) : 0
    }

    /// Cancels the progress and runs its handler before returning. Foundation on Linux runs handlers on a
    /// queue of its own, at some time, and again for each further cancellation. Handlers of children still
    /// run there.
    ///
    /// Only the system cancels calls so, and each of them on one thread: a plain progress has no lock.
    package func cancelAtOnce() {
        if let shared = self as? SharedProgress {
            shared.cancelForCaller()?()
            return
        }
        guard !isCancelled else { return }
        let handler = cancellationHandler
        cancellationHandler = nil
        cancel()
        handler?()
    }
}

extension Progress.FileOperationKind {
    /// From the disk to the provider.
    public static let uploading = Progress.FileOperationKind(
        rawValue: "NSProgressFileOperationKindUploading")
    /// Beside another file.
    public static let duplicating = Progress.FileOperationKind(
        rawValue: "NSProgressFileOperationKindDuplicating")
}
