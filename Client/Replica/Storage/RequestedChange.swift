import FileProvider

/// What the provider wants to be sent of a node, though nobody has changed it here.
package struct RequestedChange: Sendable, Equatable {
    package var fields: NSFileProviderItemFields = []
    package var options: NSFileProviderModifyItemOptions = []

    package init() {}

    /// As it is stored: the fields below, the options above.
    init(stored: Int64) {
        fields = NSFileProviderItemFields(rawValue: UInt(stored & 0xFFFF_FFFF))
        options = NSFileProviderModifyItemOptions(rawValue: UInt(stored >> 32 & 0x7FFF_FFFF))
    }

    var stored: Int64 {
        Int64(fields.rawValue & 0xFFFF_FFFF) | Int64(options.rawValue & 0x7FFF_FFFF) << 32
    }

    /// What was sent is not wanted any more.
    package mutating func settle(_ sent: NSFileProviderItemFields) {
        fields.subtract(sent)
        if fields.isEmpty { options = [] }
    }
}
