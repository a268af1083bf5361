import BasketSupport
import CMicroHTTPD
import Glibc
import Synchronization

/// Reads a body of several pieces, from any position on.
final class PieceReader: Sendable {
    private let pieces: [HTTPPiece]
    /// Where each piece starts in the body, and last the body's length.
    private let starts: [Int64]
    private let log: Log
    private let connection = Mutex<MHDConnection?>(nil)

    init(_ pieces: [HTTPPiece], log: Log) {
        self.pieces = pieces.filter { $0.length > 0 }
        var starts: [Int64] = [0]
        for piece in self.pieces { starts.append(starts[starts.count - 1] + piece.length) }
        self.starts = starts
        self.log = log
    }

    func attach(_ connection: MHDConnection) {
        self.connection.withLock { $0 = connection }
    }

    /// libmicrohttpd's content reader. A file that is shorter than it was said to be, or cannot be
    /// read, ends the connection: the length went out already.
    func read(at position: UInt64, into target: UnsafeMutablePointer<CChar>, atMost limit: Int)
        -> Int
    {
        var position = Int64(position)
        var index = piece(at: position)
        var filled = 0
        while filled < limit, index < pieces.count {
            let within = position - starts[index]
            let wanted = Int(min(Int64(limit - filled), pieces[index].length - within))
            do {
                try copy(pieces[index], from: within, count: wanted, to: target + filled)
            } catch {
                log.error("a body cannot be read", ["reason": .text("\(error)")])
                connection.withLock { $0?.bounce() }
                return Int(MHD_CONTENT_READER_END_WITH_ERROR)
            }
            filled += wanted
            position += Int64(wanted)
            index += 1
        }
        return filled
    }

    private func copy(
        _ piece: HTTPPiece, from offset: Int64, count: Int, to target: UnsafeMutablePointer<CChar>
    ) throws(FileError) {
        let target = UnsafeMutableRawPointer(target)
        switch piece {
        case .bytes(let bytes):
            bytes.withUnsafeBytes {
                target.copyMemory(from: $0.baseAddress! + Int(offset), byteCount: count)
            }
        case .file(let file, let start, _):
            if let descriptor = file.descriptor {
                try Self.read(descriptor, at: start + offset, count: count, to: target)
            } else {
                let bytes = try file.read(at: start + offset, count: count)
                guard bytes.count == count else {
                    throw FileError("read to its end", "", code: EIO)
                }
                bytes.withUnsafeBytes { target.copyMemory(from: $0.baseAddress!, byteCount: count) }
            }
        }
    }

    private static func read(
        _ descriptor: CInt, at offset: Int64, count: Int, to target: UnsafeMutableRawPointer
    ) throws(FileError) {
        var filled = 0
        while filled < count {
            let got = pread(descriptor, target + filled, count - filled, off_t(offset) + filled)
            if got > 0 {
                filled += got
            } else if got == 0 {
                throw FileError("read to its end", "descriptor \(descriptor)", code: EIO)
            } else if errno != EINTR {
                throw FileError("read", "descriptor \(descriptor)", code: errno)
            }
        }
    }

    private func piece(at position: Int64) -> Int {
        var low = 0
        var high = pieces.count
        while low < high {
            let middle = (low + high) / 2
            if starts[middle + 1] <= position { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
