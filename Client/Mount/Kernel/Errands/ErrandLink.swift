import BasketSupport
import CLinux
import Glibc

/// One end of what joins a process that has errands and the thread, in another process, that runs them one by one.
package final class ErrandLink: Sendable {
    private let descriptor: Int32

    /// - Parameter descriptor: is closed with this.
    package init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Both ends.
    static func pair() throws(FileError) -> (ErrandLink, other: Int32) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw FileError("make", "a pair of sockets", code: errno)
        }
        return (ErrandLink(descriptor: ends[0]), ends[1])
    }

    // MARK: Whoever has errands

    /// Which thread is there at the other end; nil where none is any more.
    func runner() -> Int32? { receiveNumber() }

    /// Nil where nobody knows what has become of it.
    func run(_ errand: Errand) -> Int32? {
        send(errand.bytes) ? receiveNumber() : nil
    }

    private func receiveNumber() -> Int32? {
        var number: Int32 = 0
        let length = withUnsafeMutableBytes(of: &number) { buffer in
            receive(into: buffer)
        }
        return length == MemoryLayout<Int32>.size ? number : nil
    }

    // MARK: Whoever runs them

    /// Returns, on this thread, when the other end is gone, or an errand is not run.
    func serve(_ run: (Errand) -> Int32?) {
        guard send(basket_thread_number()) else { return }
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: Errand.longest, alignment: 8)
        defer { room.deallocate() }
        while true {
            let length = receive(into: room)
            guard length > 0, let errand = Errand(bytes: room[..<length]) else { return }
            guard let result = run(errand), send(result) else { return }
        }
    }

    private func send(_ number: Int32) -> Bool {
        withUnsafeBytes(of: number) { send(Array($0)) }
    }

    private func send(_ bytes: [UInt8]) -> Bool {
        basket_send_message(descriptor, bytes, bytes.count, -1) == bytes.count
    }

    private func receive(into room: UnsafeMutableRawBufferPointer) -> Int {
        var file: Int32 = -1
        let length = basket_receive_message(descriptor, room.baseAddress, room.count, &file)
        if file >= 0 { close(file) }
        return length
    }
}
