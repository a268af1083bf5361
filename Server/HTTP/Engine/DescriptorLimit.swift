import Glibc

/// How many descriptors the process may have open.
enum DescriptorLimit {
    /// What the process needs besides its connections: files being served, databases, logs.
    private static let others = 1024

    /// Raises the soft limit as far as the hard one lets it: a full house must not keep the server from
    /// opening the files that it was asked for.
    static func raise(to connections: Int) {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        // A file that is being sent has a descriptor of its own.
        let wanted = rlim_t(connections * 2 + others)
        guard limit.rlim_cur < wanted else { return }
        limit.rlim_cur = min(wanted, limit.rlim_max)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
