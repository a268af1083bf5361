import BasketSupport
import FileProviderReplica

/// A file without bytes, into which somebody is about to write what is in it.
struct BegunFile: Sendable {
    let number: Int64
    let file: any ChangeableFile
    let hold: ContentHold
}

extension Replica {
    /// - Returns: nil where the disk is full: room is made once something is written.
    func beginFile() async throws -> BegunFile? {
        let number = try await nextFile()
        do {
            _ = try contents.create(number)
            return BegunFile(
                number: number, file: try contents.openToChange(number),
                hold: contents.hold(number))
        } catch {
            discardUnlessNamed(number)
            guard error.isOutOfSpace else { throw error }
            return nil
        }
    }
}
