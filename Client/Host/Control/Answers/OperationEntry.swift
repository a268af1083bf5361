import FileProvider

/// Something that the host of an interactive domain would do next.
package struct OperationEntry: Codable, Sendable, Equatable {
    /// By which it can be run, until they are listed again.
    package var number: Int
    package var type: String
    /// On which side it is done, or was noticed: `disk` or `provider`.
    package var side: String?
    package var item: String?
    package var name: String?

    init(_ operation: TestingOperation, number: Int) {
        self.number = number
        type = "\(operation.type)"
        switch operation {
        case let operation as any NSFileProviderTestingIngestion:
            tell(operation.side, operation.itemIdentifier, operation.item)
        case let operation as any NSFileProviderTestingLookup:
            tell(operation.side, operation.itemIdentifier)
        case let operation as any NSFileProviderTestingCreation:
            tell(
                operation.targetSide, operation.sourceItem.itemIdentifier, operation.sourceItem)
        case let operation as any NSFileProviderTestingModification:
            tell(
                operation.targetSide, operation.targetItemIdentifier, operation.sourceItem)
        case let operation as any NSFileProviderTestingDeletion:
            tell(operation.targetSide, operation.targetItemIdentifier)
        case let operation as any NSFileProviderTestingContentFetch:
            tell(operation.side, operation.itemIdentifier)
        case let operation as any NSFileProviderTestingChildrenEnumeration:
            tell(operation.side, operation.itemIdentifier)
        case let operation as any NSFileProviderTestingCollisionResolution:
            tell(
                operation.side, operation.renamedItem.itemIdentifier, operation.renamedItem)
        default: break
        }
    }

    private mutating func tell(
        _ side: NSFileProviderTestingOperationSide, _ item: NSFileProviderItemIdentifier,
        _ known: (any NSFileProviderItemProtocol)? = nil
    ) {
        self.side = side == .disk ? "disk" : "provider"
        self.item = item.rawValue
        name = known?.filename
    }
}
