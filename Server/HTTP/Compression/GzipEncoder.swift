import CZlib
import Synchronization

/// Compresses to gzip, in one go or piece by piece.
final class GzipEncoder: Sendable {
    /// The fastest level: JSON loses four fifths of its size with it, and a slower one little more.
    private static let level: CInt = 1

    /// Behind a lock, so that a stream's producer may write from whichever thread it is on.
    private let state: Mutex<Deflater>

    init(expectedBytes: Int? = nil) {
        state = Mutex(Deflater(level: Self.level, expectedBytes: expectedBytes))
    }

    /// The whole content, compressed; nil where that saves nothing.
    static func compress(_ bytes: [UInt8]) -> [UInt8]? {
        let encoder = GzipEncoder(expectedBytes: bytes.count)
        let compressed = encoder.state.withLock { $0.run(bytes, flush: Z_FINISH) }
        return compressed.count < bytes.count ? compressed : nil
    }

    /// The next piece, complete up to its last byte: a reader sees each line as it comes.
    func piece(_ bytes: [UInt8]) -> [UInt8] {
        bytes.isEmpty ? [] : state.withLock { $0.run(bytes, flush: Z_SYNC_FLUSH) }
    }

    func end() -> [UInt8] {
        state.withLock { $0.run([], flush: Z_FINISH) }
    }
}

/// zlib's stream, with one owner.
private struct Deflater: ~Copyable, @unchecked Sendable {
    // Unchecked: zlib ties a stream to no thread, and its one owner lives behind a lock. It lies on the
    // heap because zlib keeps its address.
    private let stream: UnsafeMutablePointer<z_stream>

    init(level: CInt, expectedBytes: Int?) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // A window larger than the content would only cost time to clear.
        var windowBits: CInt = 15
        if let expectedBytes {
            while windowBits > 10, 1 << (windowBits - 1) >= expectedBytes { windowBits -= 1 }
        }
        let gzip: CInt = 16
        let status = deflateInit2_(
            stream, level, Z_DEFLATED, windowBits + gzip, min(8, windowBits - 6),
            Z_DEFAULT_STRATEGY,
            zlibVersion(), CInt(MemoryLayout<z_stream>.size))
        precondition(status == Z_OK, "zlib finds no memory")
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    mutating func run(_ input: [UInt8], flush: CInt) -> [UInt8] {
        var output: [UInt8] = []
        input.withUnsafeBufferPointer { input in
            // zlib reads this memory only, though its declaration does not say so.
            stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            stream.pointee.avail_in = UInt32(input.count)
            while true {
                let room = max(1024, Int(deflateBound(stream, UInt(stream.pointee.avail_in))))
                let more = [UInt8](unsafeUninitializedCapacity: room) { buffer, filled in
                    stream.pointee.next_out = buffer.baseAddress
                    stream.pointee.avail_out = UInt32(room)
                    deflate(stream, flush)
                    filled = room - Int(stream.pointee.avail_out)
                }
                if output.isEmpty { output = more } else { output += more }
                if stream.pointee.avail_out > 0 { break }
            }
        }
        return output
    }
}
