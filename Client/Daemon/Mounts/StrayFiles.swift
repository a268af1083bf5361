import BasketSupport

/// What somebody has put into a domain's folder while nothing was mounted there: under the mount nobody would find it.
struct StrayFiles {
    let place: String
    let world: World

    /// Moves all of it, in one step, into a folder beside that one.
    func putAside() throws {
        guard try !world.files.list(place).isEmpty else { return }
        let folder = LinuxFileSystem.folder(of: place) + "/"
        let wanted = place.dropFirst(folder.count) + " (from before it was mounted)"
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
