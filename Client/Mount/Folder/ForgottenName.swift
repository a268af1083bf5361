import FileProviderReplica

/// A name of which the kernel is to forget what it knows.
enum ForgottenName: Sendable {
    /// Somebody else may have it by now.
    /// - Parameters:
    ///   - number: what it has led to, where nothing else does.
    ///   - isSought: whether it leads most often to what it led to before, and somebody may be in that.
    case name(KernelView.Place, of: UInt64? = nil, isSought: Bool = false)
    /// It leads most often to what it led to before, and programs stand there, who would be nowhere without it.
    case doubted(KernelView.Place)
    /// As if somebody had removed there what had it.
    case removed(KernelView.Place, UInt64)

    var place: KernelView.Place {
        switch self {
        case .name(let place, _, _), .doubted(let place), .removed(let place, _): place
        }
    }

    /// Whether it is to be looked up at once.
    var isSought: Bool {
        switch self {
        case .name(_, _, let isSought): isSought
        case .doubted: true
        case .removed: false
        }
    }

    func forget(_ session: FuseSession, _ view: KernelView) {
        let folder = UInt64(bitPattern: place.folder.rawValue)
        switch self {
        case .name(_, let number, _):
            session.forgetName(place.name, in: folder)
            if let number, view.known(number)?.place == place {
                view.set(nil as KernelView.Place?, of: number)
            }
        case .doubted: session.doubtName(place.name, in: folder)
        case .removed(_, let number):
            session.forgetRemoved(place.name, of: number, in: folder)
        }
    }
}
