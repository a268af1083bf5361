import BasketSupport
import FileProviderReplica
import Foundation

/// A part of a content, as an extension gives it: at its place in a file that else may be empty.
struct FetchedPart: Sendable {
    let file: URL
    let item: RemoteItem
    let range: Range<Int64>
    /// What the extension had to give at least.
    let asked: Range<Int64>
    /// Holes in the file are real zeros, rather than what was not fetched.
    let hasTrueHoles: Bool

    /// Puts its bytes where they belong.
    /// - Parameter size: the content's. What reaches behind it is no part of it.
    /// - Returns: which they are.
    func copy(
        to target: any ChangeableFile, ofSize size: Int64, in world: World
    ) throws -> [Range<Int64>] {
        let source = try world.files.open(file.path)
        let range = range.clamped(to: 0..<size)
        let parts = hasTrueHoles ? [range] : try fetched(range, from: source)
        for part in parts {
            guard try target.copy(part, from: source) == part.upperBound else {
                throw HostError.badAnswer("a part's file ends before the part does")
            }
        }
        return parts
    }

    /// What was asked for is there: where that is a hole, the disk has made it of zeros. Else, who asks for it gets no
    /// other answer ever. Around it, holes are what the extension has left out.
    private func fetched(
        _ range: Range<Int64>, from source: any File
    ) throws(FileError) -> [Range<Int64>] {
        let asked = asked.clamped(to: range)
        if asked.isEmpty { return try source.data(in: range) }
        return try source.data(in: range.lowerBound..<asked.lowerBound) + [asked]
            + source.data(in: asked.upperBound..<range.upperBound)
    }
}
