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
        guard let name = Self.name(in: status), status.count > name + 13,
            let user = Int64(status[name + 12]), let system = Int64(status[name + 13]),
            memory.count > 1, let pages = Int64(memory[1])
        else { return nil }
        let ticks = Double(user + system) / Double(max(1, sysconf(CInt(_SC_CLK_TCK))))
        cpuTime = .seconds(ticks)
        residentBytes = pages * Int64(sysconf(CInt(_SC_PAGESIZE)))
        self.openFiles = openFiles
    }

    /// In which state a process is, by the kernel's letter; nil for one that there is not.
    package static func state(of process: Int32, _ files: any FileSystem) -> Character? {
        guard let status = words(in: "/proc/\(process)/stat", files), let name = name(in: status),
            name + 1 < status.count
        else { return nil }
        return status[name + 1].first
    }

    /// The second word is the program's name in parentheses, which may hold spaces.
    private static func name(in status: [Substring]) -> Int? {
        status.lastIndex { $0.hasSuffix(")") }
    }

    /// Such files have no size: they are written when they are read.
    private static func words(in path: String, _ files: any FileSystem) -> [Substring]? {
        guard let bytes = try? files.open(path).read(at: 0, count: 4096) else { return nil }
        return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    }
}
