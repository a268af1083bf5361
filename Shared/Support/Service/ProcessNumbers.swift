import Glibc

/// What this process takes of its machine, as the kernel counts it.
package struct ProcessNumbers: Equatable {
    package let cpuTime: Duration
    package let residentBytes: Int64
    package let openFiles: Int

    /// Nil where the kernel does not tell: there may be no `/proc`.
    package init?(_ files: any FileSystem) {
        guard let status = Self.words(in: "/proc/self/stat", files),
            let memory = Self.words(in: "/proc/self/statm", files),
            let descriptors = try? files.list("/proc/self/fd")
        else { return nil }
        self.init(status: status, memory: memory, openFiles: descriptors.count)
    }

    /// - Parameters:
    ///   - status: the words of `/proc/self/stat`.
    ///   - memory: those of `/proc/self/statm`, in pages.
    init?(status: [Substring], memory: [Substring], openFiles: Int) {
        // The second word is the program's name in parentheses, which may hold spaces.
        guard let name = status.lastIndex(where: { $0.hasSuffix(")") }), status.count > name + 13,
            let user = Int64(status[name + 12]), let system = Int64(status[name + 13]),
            memory.count > 1, let pages = Int64(memory[1])
        else { return nil }
        let ticks = Double(user + system) / Double(max(1, sysconf(CInt(_SC_CLK_TCK))))
        cpuTime = .seconds(ticks)
        residentBytes = pages * Int64(sysconf(CInt(_SC_PAGESIZE)))
        self.openFiles = openFiles
    }

    /// Such files have no size: they are written when they are read.
    private static func words(in path: String, _ files: any FileSystem) -> [Substring]? {
        guard let bytes = try? files.open(path).read(at: 0, count: 4096) else { return nil }
        return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    }
}
