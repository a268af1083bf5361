import BasketDatabase
import BasketSupport

/// Room that a replica keeps for itself, in a file without meaning, for the day on which the disk is full: making room
/// has to be noted in the database first, which takes some, and so does a start.
final class Ballast: Sendable {
    /// SQLite's log grows by a page of 4 KiB for each that a transaction changes. A start changes a few dozen, and so
    /// does each content that is let go of: some 20 at a time fit.
    static let size: Int64 = 1 << 20
    /// As long as there is less besides, others need it more.
    private static let leastFree = 8 * size

    private let path: String
    private let contents: String
    private let files: any FileSystem

    /// - Parameter contents: the folder of those, on the same disk.
    init(folder: String, contents: String, files: any FileSystem) {
        path = folder + "/ballast"
        self.contents = contents
        self.files = files
    }

    /// Does something, and once more in the ballast's place where the disk has no room for it.
    func giving<Result>(
        _ body: () async throws -> sending Result
    ) async throws -> sending Result {
        do {
            return try await body()
        } catch {
            guard mayHelp(against: error), release() else { throw error }
        }
        return try await body()
    }

    /// Whether it was for want of room.
    func mayHelp(against error: any Error) -> Bool {
        switch error {
        case let error as FileError: return error.isOutOfSpace
        case let error as SQLiteError:
            // Where a file cannot be made, SQLite does not say why.
            let free = try? files.availableBytes(at: contents)
            return error.isFull || free.map { $0 < Self.size } ?? false
        default: return false
        }
    }

    /// - Returns: false where there is none.
    @discardableResult
    func release() -> Bool {
        do {
            guard try files.factsIfAny(of: path) != nil else { return false }
            try files.remove(path)
            return true
        } catch {
            // Then the disk stays full, as whoever asked for this says.
            return false
        }
    }

    /// Makes it, where it is not and there is room.
    func keep() throws(FileError) {
        if try files.factsIfAny(of: path)?.size == Self.size { return }
        if try files.factsIfAny(of: path) != nil { try files.remove(path) }
        guard try files.availableBytes(at: contents) >= Self.leastFree else { return }
        do throws(FileError) {
            try fill(try files.create(path))
        } catch {
            // Less than all of it would be taken for it.
            try files.remove(path)
            throw error
        }
    }

    /// With what no disk makes smaller.
    private func fill(_ file: any File) throws(FileError) {
        var random = SeededGenerator(seed: 0)
        let part = random.bytes(Self.part)
        for offset in stride(from: 0, to: Self.size, by: Self.part) {
            try file.write(part, at: offset)
        }
        try file.synchronize()
    }

    private static let part = 128 << 10
}
