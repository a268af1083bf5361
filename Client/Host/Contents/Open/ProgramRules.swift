/// Programs that look into every file, and for which none is brought here.
package struct ProgramRules: Sendable, Equatable {
    /// Names as far as the kernel keeps them.
    private var names: Set<String> = []
    private var units: Set<String> = []
    /// Programs that somebody has said to be none of these.
    private var allowed: Set<String> = []

    private static let longestName = 15

    /// Indexers, virus scanners and makers of thumbnails of the usual desktops.
    package static let usual = ProgramRules(
        names: [
            "tracker-miner-fs-3", "tracker-extract-3", "tracker-miner-fs", "tracker-extract",
            "localsearch-3", "localsearch-extractor-3", "baloo_file", "baloo_file_extractor",
            "updatedb", "updatedb.mlocate", "updatedb.plocate", "clamscan", "clamdscan", "clamd",
            "clamonacc", "tumblerd", "ffmpegthumbnailer", "totem-video-thumbnailer",
            "evince-thumbnailer", "gdk-pixbuf-thumbnailer", "gnome-thumbnail-font",
            "thumbnail.so", "recollindex", "zeitgeist-daemon", "rygel", "minidlnad",
        ],
        units: [
            "tracker-miner-fs-3.service", "localsearch-3.service", "tumblerd.service",
            "plocate-updatedb.service", "updatedb.service", "mlocate-updatedb.service",
            "clamav-daemon.service", "clamav-clamonacc.service", "kde-baloo.service",
        ])

    package init(names: [String] = [], units: [String] = []) {
        for name in names { add(name: name) }
        self.units = Set(units)
    }

    package mutating func add(name: String) {
        names.insert(Self.known(name))
    }

    package mutating func add(unit: String) {
        units.insert(unit)
    }

    package mutating func allow(name: String) {
        allowed.insert(Self.known(name))
    }

    package func contains(_ program: Program) -> Bool {
        let name = Self.known(program.name)
        if allowed.contains(name) { return false }
        return names.contains(name) || program.unit.map(units.contains) == true
    }

    private static func known(_ name: String) -> String {
        String(decoding: name.utf8.prefix(longestName), as: UTF8.self)
    }
}
