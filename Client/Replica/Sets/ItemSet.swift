/// A set of items that the system keeps for the provider.
package enum ItemSet: Int, Sendable, CaseIterable {
    /// What is on this device and not dataless: files with bytes, and folders whose children are known.
    case materialised = 1
    /// What both sides have had time to agree on, and have not.
    case pending = 2
}
