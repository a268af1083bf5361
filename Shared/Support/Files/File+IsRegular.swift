import Glibc

extension File {
    /// Whether it is neither a pipe nor a device nor a folder, of which a read could wait for ever. What
    /// has no descriptor is none of these.
    package var isRegular: Bool {
        guard let descriptor else { return true }
        var facts = stat()
        return fstat(descriptor, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG
    }
}
