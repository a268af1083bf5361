import FileProvider
import FileProviderHost
import Foundation

extension TestingOperation {
    /// What it would do, in a few words: by the names that its protocol gives.
    var words: String {
        switch self {
        case let operation as any NSFileProviderTestingIngestion:
            "take in \(operation.side) \(operation.item?.filename ?? "nothing")"
        case let operation as any NSFileProviderTestingLookup:
            "look up \(operation.itemIdentifier.rawValue)"
        case let operation as any NSFileProviderTestingCreation:
            "create \(operation.targetSide) \(operation.sourceItem.filename)"
        case let operation as any NSFileProviderTestingModification:
            "modify \(operation.targetSide) \(operation.sourceItem.filename)"
        case let operation as any NSFileProviderTestingDeletion:
            "delete \(operation.targetSide) \(operation.targetItemIdentifier.rawValue)"
        case let operation as any NSFileProviderTestingContentFetch:
            "fetch \(operation.itemIdentifier.rawValue)"
        case let operation as any NSFileProviderTestingChildrenEnumeration:
            "list \(operation.itemIdentifier.rawValue)"
        case let operation as any NSFileProviderTestingCollisionResolution:
            "rename \(operation.side) \(operation.renamedItem.filename)"
        default: "\(type)"
        }
    }
}
