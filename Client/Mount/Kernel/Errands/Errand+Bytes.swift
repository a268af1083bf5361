/// How it travels: a byte for its kind, and what it is about.
extension Errand {
    /// Two paths, as long as the kernel takes them.
    static let longest = 16 << 10
    private static let separator: UInt8 = 0

    package var bytes: [UInt8] {
        switch self {
        case .tell(let words): [0] + words
        case .makeFolder(let path): [1] + path.utf8
        case .makeSymlink(let path): [2] + path.utf8
        case .makeFile(let path): [3] + path.utf8
        case .removeFolder(let path): [4] + path.utf8
        case .removeFile(let path): [5] + path.utf8
        case .move(let old, let new, let number):
            [6] + [old, new, String(number)].joined(separator: "\0").utf8
        case .touchContent(let path): [7] + path.utf8
        case .touchAttributes(let path): [8] + path.utf8
        case .look(let path): [9] + path.utf8
        }
    }

    package init?(bytes: some Collection<UInt8>) {
        guard let kind = bytes.first else { return nil }
        let rest = bytes.dropFirst()
        let paths = rest.split(separator: Self.separator).map {
            String(decoding: $0, as: UTF8.self)
        }
        switch (kind, paths.count) {
        case (0, _): self = .tell(Array(rest))
        case (1, 1): self = .makeFolder(paths[0])
        case (2, 1): self = .makeSymlink(paths[0])
        case (3, 1): self = .makeFile(paths[0])
        case (4, 1): self = .removeFolder(paths[0])
        case (5, 1): self = .removeFile(paths[0])
        case (6, 3):
            guard let number = UInt64(paths[2]) else { return nil }
            self = .move(paths[0], to: paths[1], of: number)
        case (7, 1): self = .touchContent(paths[0])
        case (8, 1): self = .touchAttributes(paths[0])
        case (9, 1): self = .look(paths[0])
        default: return nil
        }
    }
}
