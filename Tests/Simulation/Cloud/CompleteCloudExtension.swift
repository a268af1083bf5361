import FileProvider

/// Tells everything by the working set, so that no folder needs to be listed.
final class CompleteCloudExtension: CloudExtension, CompleteWorkingSet, @unchecked Sendable {}
