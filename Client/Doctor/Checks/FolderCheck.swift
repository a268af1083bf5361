import Glibc

/// Whether one of the folders that Basket works in is this person's, and nobody else's.
struct FolderCheck: Check {
    /// What is found at its path.
    enum State: Equatable {
        /// It is made when it is needed.
        case missing(canBeMade: Bool)
        case noFolder
        case folder(isOwn: Bool, mode: UInt32, isWritable: Bool)
    }

    private let check: String
    private let name: String
    private let path: String

    /// - Parameter name: what it is, at the beginning of a sentence.
    init(_ check: String, _ name: String, _ path: String) {
        self.check = check
        self.name = name
        self.path = path
    }

    func findings() async -> [Finding] { [judge(Self.look(at: path))] }

    func judge(_ state: State) -> Finding {
        func wrong(_ what: String, _ remedy: String) -> Finding {
            Finding(check, .wrong, "\(name) (\(path)) \(what)", remedy: remedy)
        }
        switch state {
        case .missing(canBeMade: true):
            return Finding(
                check, .fine, "\(name) (\(path)) is not there yet, and is made when it is needed.")
        case .missing(canBeMade: false):
            return wrong(
                "is not there, and you may not make it.",
                "Make it, or set XDG_RUNTIME_DIR and XDG_DATA_HOME to folders of yours.")
        case .noFolder: return wrong("is no folder.", "Move away what is there.")
        case .folder(isOwn: false, _, _):
            return wrong("is somebody else's.", "Take it over: ‘sudo chown -R $USER \(path)’.")
        case .folder(_, let mode, _) where mode & 0o022 != 0:
            return wrong("can be changed by others.", "Keep them out: ‘chmod 700 \(path)’.")
        case .folder(_, _, isWritable: false):
            return wrong(
                "cannot be written to.",
                "‘chmod 700 \(path)’; where that does not help, its disk is mounted to be read alone."
            )
        case .folder(_, let mode, _) where mode & 0o055 != 0:
            return Finding(
                check, .warning, "\(name) (\(path)) can be looked into by others.",
                remedy: "Keep them out: ‘chmod 700 \(path)’.")
        case .folder: return Finding(check, .fine, "\(name) (\(path)) is yours alone.")
        }
    }

    static func look(at path: String) -> State {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return .missing(canBeMade: canBeMade(path)) }
        guard facts.st_mode & S_IFMT == S_IFDIR else { return .noFolder }
        return .folder(
            isOwn: facts.st_uid == geteuid(), mode: facts.st_mode & 0o777,
            isWritable: access(path, W_OK | X_OK) == 0)
    }

    /// The nearest folder above it that is there decides.
    private static func canBeMade(_ path: String) -> Bool {
        var parts = path.split(separator: "/")
        while parts.popLast() != nil {
            let above = "/" + parts.joined(separator: "/")
            if access(above, F_OK) == 0 { return access(above, W_OK | X_OK) == 0 }
        }
        return false
    }
}
