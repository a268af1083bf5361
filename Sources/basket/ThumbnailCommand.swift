import BasketSupport
import FileProviderHost
import Foundation

/// `basket thumbnail`
enum ThumbnailCommand {
    private static let pixels = 1...1024

    static let command = Command(
        "thumbnail", summary: "Write the small picture that the server has of a file.",
        details: "The file itself is not brought here for that.",
        examples: [
            Command.Example(
                "basket thumbnail photo.jpg --output small.jpg", "As large as it is there."),
            Command.Example(
                "basket thumbnail photo.jpg --pixels 64 --output icon.jpg",
                "Where the provider can make it as small."),
        ],
        options: [
            CommandOption(
                "output", placeholder: "FILE", help: "Where to; what is there is replaced."),
            CommandOption(
                "pixels", placeholder: "COUNT",
                help:
                    "How wide and high it is wanted. Pictures that the server has are not made smaller.",
                note: "default 256"),
            Options.json,
        ],
        arguments: [Options.item], exits: [.notFound, .unreachable], body: run)

    /// What scripts see.
    private struct Written: Codable {
        var output: String
        var size: Int
    }

    static func run(_ invocation: Invocation, _ console: Console) async throws -> ExitCode {
        guard let output = invocation.value("output"), !output.isEmpty else {
            throw CommandFailure(
                "no_output", "where is the picture to go?\nName a file: --output FILE",
                exitCode: .usage)
        }
        let reach = try DaemonReach()
        let path = invocation.argument("ITEM") ?? ""
        let (domain, items) = try await reach.items([path])
        var request = ControlRequest(.thumbnails, items: items)
        request.pixels = try Options.number("pixels", of: invocation, in: pixels)
        let pictures = try await reach.ask(
            domain, request, for: Listed<ThumbnailEntry>.self)
        guard let picture = pictures.entries.first?.picture else {
            throw CommandFailure(
                "no_thumbnail",
                "there is no picture of ‘\(Words.shown(path))’.\nPrograms that show the file make one.",
                exitCode: .notFound)
        }
        do {
            try LinuxFileSystem().replace(NamedPlace.whole(output), with: Array(picture))
        } catch {
            throw CommandFailure("not_written", "‘\(Words.shown(output))’: \(error).")
        }
        if invocation.has("json") {
            console.print(JSONText.line(Written(output: output, size: picture.count)))
        }
        return .success
    }
}
