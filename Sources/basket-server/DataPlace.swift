import BasketSupport
import BasketUpkeep

/// The data folder that a command is about.
enum DataPlace {
    /// Refuses a folder that holds no database: a mistyped name must not become a new server.
    static func find(_ invocation: Invocation) throws -> (DataFolder, World) {
        let configuration = try ServerSettings.resolve(invocation)
        let folder = DataFolder(path: configuration[ServerSettings.data])
        let world = World.live(log: .silent)
        try folder.requireDatabase(world.files)
        return (folder, world)
    }
}
