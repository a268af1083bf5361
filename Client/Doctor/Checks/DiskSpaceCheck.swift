import BasketSupport

/// Whether there is room where replicas lie: without it nothing can be changed, and nothing brought.
struct DiskSpaceCheck: Check {
    private static let leastBytes: Int64 = 1 << 30
    private static let leastPercent: Int64 = 5

    let folder: String
    let files: any FileSystem

    func findings() async -> [Finding] {
        // Where it is not there yet, the disk is that of what is above.
        var path = folder
        while !files.exists(path), path.count > 1 { path = LinuxFileSystem.folder(of: path) }
        do {
            return [
                Self.judge(
                    available: try files.availableBytes(at: path),
                    total: try files.totalBytes(at: path), folder: folder)
            ]
        } catch {
            return [
                Finding(
                    "disk-space", .warning, "Nobody knows how much room there is: \(error).",
                    remedy: "Look yourself: ‘df -h \(folder)’.")
            ]
        }
    }

    static func judge(available: Int64, total: Int64, folder: String) -> Finding {
        let mebibytes = available >> 20
        let amount = mebibytes < 10 << 10 ? "\(mebibytes) MiB" : "\(mebibytes >> 10) GiB"
        let percent = total > 0 ? Int64(Double(available) / Double(total) * 100) : 0
        let share = "\(amount), \(percent) %"
        guard available < leastBytes || percent < leastPercent else {
            return Finding("disk-space", .fine, "There is room for replicas (\(share)).")
        }
        return Finding(
            "disk-space", .warning, "There is hardly any room where replicas lie (\(share)).",
            remedy:
                "Make some on the disk of \(folder); ‘basket cache’ lists what is here of domains, and ‘basket evict’ lets go of it."
        )
    }
}
