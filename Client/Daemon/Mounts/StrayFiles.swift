import BasketSupport

/// What somebody has put into a domain's folder while nothing was mounted there: under the mount nobody would find it.
package struct StrayFiles {
    private static let name = " (from before it was mounted)"

    let place: String
    let world: World

    /// The folders into which such files were put aside, and in which they are still.
    package static func asides(of place: String, _ files: any FileSystem) -> [String] {
        let folder = LinuxFileSystem.folder(of: place) + "/"
        let start = place.dropFirst(folder.count) + name
        // What is not there has nothing beside it.
        return ((try? files.list(folder)) ?? []).filter { $0.hasPrefix(start) }.sorted()
            .map { folder + $0 }
    }

    /// Moves all of it, in one step, into a folder beside that one.
    func putAside() throws {
        guard try !world.files.list(place).isEmpty else { return }
        let folder = LinuxFileSystem.folder(of: place) + "/"
        let wanted = place.dropFirst(folder.count) + Self.name
        let names = BouncedName(String(wanted))
        var (aside, number) = (folder + wanted, 0)
        while world.files.exists(aside) {
            aside = folder + names.candidate(number)
            number += 1
        }
        try world.files.rename(place, to: aside)
        try world.files.makeFolder(place)
        world.log.warning(
            "files were in a domain's folder while nothing was mounted there, and are put aside",
            ["folder": .text(place), "aside": .text(aside)])
    }
}
