import BasketSupport

/// Where this program lies.
enum ProgramPath {
    static func own() throws -> String {
        var path = try LinuxFileSystem().target(ofSymlink: "/proc/self/exe")
        // Somebody has put a new one in its place.
        let gone = " (deleted)"
        if path.hasSuffix(gone) { path.removeLast(gone.count) }
        return path
    }
}
