/// What programs can ask of an item by attributes that nobody has set. They are in no list: who copies attributes copies
/// what people have written.
enum VirtualAttribute: String {
    /// Whether both sides agree: `synced`, `waiting`, `failed`, or `local` for what stays on this device.
    case state = "user.basket.state"
    /// How much of a file is here: `none`, `partial`, `whole`.
    case content = "user.basket.content"
    /// By which the provider names its present content.
    case version = "user.basket.version"
    /// Why it is not where it should be.
    case error = "user.basket.error"
    /// How it is marked, a label on each line.
    case decoration = "user.basket.decoration"
    /// `1` for what is to be kept here, else `0`: and so it can be set.
    case pinned = "user.basket.pinned"

    static let prefix = "user.basket."

    var isWritable: Bool { self == .pinned }
}
