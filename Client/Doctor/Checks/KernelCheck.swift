import Glibc

/// Whether the kernel lets a domain's host be replaced while programs have files open.
struct KernelCheck: Check {
    /// The first that asks again what was not answered.
    private static let handsOver = (6, 9)

    func findings() async -> [Finding] {
        var names = utsname()
        guard uname(&names) == 0 else { return [Self.judge("")] }
        let release = withUnsafeBytes(of: &names.release) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        return [Self.judge(release)]
    }

    /// - Parameter release: as `uname -r` says it: `6.1.0-18-amd64`.
    static func judge(_ release: String) -> Finding {
        let numbers = release.utf8.split(maxSplits: 2) { $0 == UInt8(ascii: ".") }.prefix(2).map {
            Int(String(decoding: $0.prefix { (0x30...0x39).contains($0) }, as: UTF8.self))
        }
        guard numbers.count == 2, let major = numbers[0], let minor = numbers[1] else {
            return Finding(
                "kernel", .warning, "Nobody knows which kernel this is (‘\(release)’).",
                remedy: "From 6.9 on, a host is replaced without programs noticing.")
        }
        guard (major, minor) >= handsOver else {
            return Finding(
                "kernel", .warning,
                "The kernel (\(major).\(minor)) hands no mount over: should a domain's host end, files that are open there break.",
                remedy: "All else works. From 6.9 on they do not; Debian has it in its backports.")
        }
        return Finding("kernel", .fine, "The kernel (\(major).\(minor)) hands mounts over.")
    }
}
