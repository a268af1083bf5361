import BasketDatabase
import BasketSupport

/// Room that a replica keeps for itself, in files without meaning, for the day on which the disk is full: making room
/// has to be noted in the database first, which takes some, and so does a start.
///
/// It is given away part by part: what one time does not need, others take at once, and on a disk that stays full there is a
/// next time.
final class Ballast: Sendable {
    /// SQLite's log grows by a page of 4 KiB for each that a transaction changes: a few dozen at a start, and as many where a
    /// file is removed, or some contents are let go of.
    static let partSize: Int64 = 256 << 10
    static let partCount = 8
    /// As long as there is less besides, others need it more.
    private static let leastFree = 4 * Int64(partCount) * partSize

    private let folder: String
    private let contents: String
    private let files: any FileSystem

    /// - Parameter contents: the folder of those, on the same disk.
    init(folder: String, contents: String, files: any FileSystem) {
        self.folder = folder
        self.contents = contents
        self.files = files
    }

    private var paths: [String] {
        (0..<Self.partCount).map { folder + ($0 == 0 ? "/ballast" : "/ballast-\($0)") }
    }

    /// Does something, and once more in the place of some of the ballast for as long as the disk has no room for it.
    func giving<Result>(
        _ body: () async throws -> sending Result
    ) async throws -> sending Result {
        while true {
            do {
                return try await body()
            } catch {
                guard mayHelp(against: error), release() else { throw error }
            }
        }
    }

    /// Whether it was for want of room.
    func mayHelp(against error: any Error) -> Bool {
        switch error {
        case let error as FileError: return error.isOutOfSpace
        case let error as SQLiteError:
            // Where a file cannot be made, SQLite does not say why.
            let free = try? files.availableBytes(at: contents)
            return error.isFull || free.map { $0 < Self.partSize } ?? false
        default: return false
        }
    }

    /// Gives a part of it away.
    /// - Parameter isSparing: whether half of it is left.
    /// - Returns: whether it did.
    @discardableResult
    func release(isSparing: Bool = false) -> Bool {
        for path in paths.dropFirst(isSparing ? Self.partCount / 2 : 0).reversed() {
            do {
                guard try files.factsIfAny(of: path) != nil else { continue }
                try files.remove(path)
                return true
            } catch {
                // Then the disk stays full, as whoever asked for this says.
            }
        }
        return false
    }

    /// Makes what is missing of it, where there is room.
    func keep() throws(FileError) {
        for path in paths {
            let size = try files.factsIfAny(of: path)?.size
            if size == Self.partSize { continue }
            guard try files.availableBytes(at: contents) >= Self.leastFree else { return }
            if size != nil { try files.remove(path) }
            do throws(FileError) {
                try fill(try files.create(path))
            } catch {
                // Less than all of it would be taken for it.
                try files.remove(path)
                throw error
            }
        }
    }

    /// With what no disk makes smaller.
    private func fill(_ file: any File) throws(FileError) {
        for offset in stride(from: 0, to: Self.partSize, by: Self.noise.count) {
            try file.write(Self.noise, at: offset)
        }
        try file.synchronize()
    }

    private static let noise = {
        var random = SeededGenerator(seed: 0)
        return random.bytes(64 << 10)
    }()
}
