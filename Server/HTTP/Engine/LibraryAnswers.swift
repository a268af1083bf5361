import BasketSupport
import CMicroHTTPD
import Glibc

/// What libmicrohttpd says by itself to what it cannot parse: pages of HTML, and for some lengths 0.9
/// sends its head twice. They are exchanged for answers of the same kind as all others.
///
/// The library queues its own answers by the same public function by which a program queues its, and
/// among several functions of one name the dynamic linker takes the program's. So this one is called by
/// the library alone, while we call the library's by its address. Where the linker does otherwise, the
/// pages go out as they are. Public, so that the linker shows it to the library.
@_cdecl("MHD_queue_response")
public func queueAnswerOfLibrary(
    _ mhd: OpaquePointer?, _ status: UInt32, _ response: OpaquePointer?
) -> MHD_Result {
    guard let mhd, let opaque = basket_mhd_socket_context(mhd),
        let refusal = HTTPRefusal(
            statusOfLibrary: status, mhd,
            limits: Unmanaged<Connection>.fromOpaque(opaque).takeUnretainedValue().engine.limits)
    else { return LibraryAnswers.queue(mhd, status, response) }
    Unmanaged<Connection>.fromOpaque(opaque).takeUnretainedValue()
        .refuse(refusal, MHDConnection(pointer: mhd))
    // Nothing is queued, so that the library closes the connection.
    return .NO
}

enum LibraryAnswers {
    private typealias Queue =
        @convention(c) (OpaquePointer?, UInt32, OpaquePointer?) -> MHD_Result

    /// libmicrohttpd's own function: the next one of the name after the program's.
    private static let function: Queue = {
        let next = UnsafeMutableRawPointer(bitPattern: -1)
        guard let address = dlsym(next, "MHD_queue_response") else {
            preconditionFailure("libmicrohttpd has no MHD_queue_response")
        }
        return unsafeBitCast(address, to: Queue.self)
    }()

    static func queue(
        _ mhd: OpaquePointer?, _ status: UInt32, _ response: OpaquePointer?
    ) -> MHD_Result {
        function(mhd, status, response)
    }
}

extension HTTPRefusal {
    /// Nil for what is not the client's doing.
    fileprivate init?(statusOfLibrary status: UInt32, _ mhd: OpaquePointer, limits: HTTPLimits) {
        switch status {
        case 400: self = .malformed("What came cannot be read as HTTP/1.1.")
        case 413 where basket_mhd_header_size(mhd) > 0:
            self = .malformed("The body's length, or that of a part, is beyond all numbers.")
        case 413, 431: self = .headersTooLarge(limit: limits.headerBytes)
        case 414: self = .targetTooLong(limit: limits.targetBytes)
        // It has no room for what stands beside a chunk's size.
        case 500:
            self = .malformed("A part of the request is longer than anything that belongs there.")
        case 505: self = .malformed("Only HTTP/1.1 and HTTP/1.0 are spoken here.")
        default: return nil
        }
    }
}

extension Connection {
    /// Answers past the library, which is about to close the connection.
    fileprivate func refuse(_ refusal: HTTPRefusal, _ mhd: MHDConnection) {
        let id = arriving?.id ?? engine.ids.next()
        let answer = PreparedResponse(
            engine.handler.refuse(refusal, id: id), id: id, engine: engine, closes: true,
            stream: nil)
        if let message = answer.message(date: engine.world.now().httpDate) {
            sendPastLibrary(message, mhd)
        }
        if let arriving {
            arriving.wasRefused(status: answer.status)
        } else {
            // Nothing begins that could end with a line of its own.
            engine.counters.count(status: answer.status)
            engine.world.log.info(
                "request refused",
                [
                    "id": .text(id), "status": .number(Int64(answer.status)),
                    "client": .text(addressText),
                ])
        }
        if engine.isSecure {
            // The closing message is still to come.
            lingerAtEnd()
        } else {
            endAfterAnswer(within: LingeringSockets.time)
        }
    }
}
