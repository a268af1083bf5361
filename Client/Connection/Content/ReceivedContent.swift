import BasketContent
import BasketModels

/// What was received of a content.
package struct ReceivedContent: Sendable, Equatable {
    package var version: Version
    /// Of the whole content.
    package var size: Int64
    /// Of the whole content, computed over what came; nil when only a part was asked for.
    package var hash: ContentHash?
}
