/// Why a node stays on this device. One that the provider still has goes from there once its content is here.
package enum Exclusion: Int, Sendable {
    case no = 0
    /// The provider does not want it.
    case byProvider = 1
    /// A rule of the person's, or one that is built in, names it.
    case byRule = 2
    /// The folder that it lies in stays here.
    case byFolder = 3
    /// The folder is gone at the provider, and only what stays here is left in it. Something new in it brings it
    /// back.
    case leftOver = 4
    /// It does not stay here any more. But the provider was asked to delete it, and may have: only when that is
    /// known to be done, it is made there again.
    case leaving = 5

    /// Whether what lies in the folder stays here with it.
    package var holdsChildren: Bool { self != .no && self != .leftOver }
}
