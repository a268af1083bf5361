import Foundation

/// How far one item's bytes have come, in one direction.
package struct ItemTransfer: Sendable, Equatable {
    package let kind: Progress.FileOperationKind
    package let bytes: Int64
    package let completedBytes: Int64
}
