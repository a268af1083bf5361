import FileProvider

/// Gives one of two items that want one place another name.
final class CollisionResolutionOperation: TestingOperation,
    NSFileProviderTestingCollisionResolution, @unchecked Sendable
{
    let side: NSFileProviderTestingOperationSide
    private let renamed: ItemTemplate

    /// Under the name that it gets.
    var renamedItem: any NSFileProviderItemProtocol { renamed }

    init(
        _ subject: TestingSubject, on side: NSFileProviderTestingOperationSide,
        _ renamed: ItemTemplate
    ) {
        self.side = side
        self.renamed = renamed
        super.init(.collisionResolution, subject)
    }
}
