import BasketContent
import BasketHTTP
import BasketModels

/// Manifests as JSON.
enum ManifestJSON {
    /// What says that a request's body is a manifest and not the content itself.
    static let mediaType = "application/vnd.basket.manifest+json"
    /// Room for 300,000 chunks: to read more than this at once takes memory and time from everybody. What
    /// has more chunks is cut into longer ones, or sent as it is.
    static let longest = 32 << 20

    static func isAnnounced(by request: HTTPRequest) -> Bool {
        request.headers["Content-Type"]?.lowercased().hasPrefix(mediaType) == true
    }

    static func write(_ manifest: Manifest, to writer: inout JSONWriter) {
        writer.key("size")
        writer.number(manifest.size)
        writer.key("hash")
        writer.plainString { manifest.hash.appendHex(to: &$0) }
        write(manifest.chunks, to: &writer)
    }

    static func write(_ run: ChunkRun, to writer: inout JSONWriter) {
        writer.key("size")
        writer.number(run.size)
        writer.key("start")
        writer.number(run.start)
        write(run.chunks, to: &writer)
    }

    private static func write(_ chunks: [Manifest.Chunk], to writer: inout JSONWriter) {
        writer.key("chunks")
        writer.array { writer in
            for chunk in chunks {
                writer.object { writer in
                    writer.key("length")
                    writer.number(chunk.length)
                    writer.key("hash")
                    writer.plainString { chunk.hash.appendHex(to: &$0) }
                }
            }
        }
    }
}
