import BasketSupport
import BasketUpkeep

/// The data folder that a command is about.
enum DataPlace {
    /// Refuses a folder that holds no database: a mistyped name must not become a new server.
    ///
    /// - Parameter console: hears what is odd about the folder, though nothing is wrong with it.
    static func find(
        _ invocation: Invocation, telling console: Console? = nil
    ) throws -> (DataFolder, World) {
        let configuration = try ServerSettings.resolve(invocation)
        let folder = DataFolder(path: configuration[ServerSettings.data])
        let world = World.live(log: invocation.has("json") ? .silent : log(for: console))
        try folder.requireDatabase(world.files)
        return (folder, world)
    }

    private static func log(for console: Console?) -> Log {
        guard let console else { return .silent }
        return Log(level: .warning) { entry in
            let details = entry.fields.compactMap { field in
                if case .text(let text) = field.value { text } else { nil }
            }
            console.say((["basket-server: \(entry.message)"] + details).joined(separator: ": "))
        }
    }
}
