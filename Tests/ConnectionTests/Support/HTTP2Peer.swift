import BasketHTTP
import BasketSupport
import Foundation
import Glibc

/// A server of another make that speaks HTTP/2 and nothing else. It answers with the body that it got, and tells in a
/// header on which of its connections.
final class HTTP2Peer: @unchecked Sendable {
    // Unchecked: it is started once, and ended once.
    private let process = Process()
    /// Ends with the tests, however they end, and it with that.
    private let life = Pipe()
    let port: Int

    /// Whether the machine has it.
    static let isThere: Bool = {
        let probe = Process()
        probe.executableURL = URL(fileURLWithPath: interpreter)
        probe.arguments = ["-c", "import h2"]
        probe.standardError = FileHandle.nullDevice
        guard (try? probe.run()) != nil else { return false }
        probe.waitUntilExit()
        return probe.terminationStatus == 0
    }()

    /// The one that Debian's packages are for.
    private static let interpreter = "/usr/bin/python3"

    init(_ identity: TLSIdentity, in folder: String) throws {
        let path = folder + "/identity.pem"
        try Data(identity.keyPEM + identity.certificatePEM).write(to: URL(fileURLWithPath: path))
        process.executableURL = URL(fileURLWithPath: Self.interpreter)
        process.arguments = ["-c", Self.program, path]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = life
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            kill(process.processIdentifier, SIGKILL)
            throw CocoaError(.fileReadCorruptFile)
        }
        self.port = port
    }

    /// Not asked politely: what blocks a signal here would block it there.
    func stop() {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    private static let program = """
        import itertools, os, socket, ssl, sys, threading
        import h2.config, h2.connection, h2.events

        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1])
        context.set_alpn_protocols(["h2"])

        def serve(plain, number):
            stream = context.wrap_socket(plain, server_side=True)
            if stream.selected_alpn_protocol() != "h2":
                return stream.close()
            config = h2.config.H2Configuration(client_side=False)
            peer = h2.connection.H2Connection(config=config)
            peer.initiate_connection()
            bodies, waiting = {}, {}

            def push():
                for key in list(waiting):
                    while waiting[key]:
                        room = min(peer.local_flow_control_window(key), peer.max_outbound_frame_size)
                        if room <= 0:
                            break
                        part, waiting[key] = waiting[key][:room], waiting[key][room:]
                        peer.send_data(key, part)
                    if not waiting[key]:
                        peer.end_stream(key)
                        del waiting[key]

            while True:
                stream.sendall(peer.data_to_send())
                data = stream.recv(65536)
                if not data:
                    return
                for event in peer.receive_data(data):
                    if isinstance(event, h2.events.RequestReceived):
                        bodies[event.stream_id] = b""
                    elif isinstance(event, h2.events.DataReceived):
                        bodies[event.stream_id] += event.data
                        peer.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
                    elif isinstance(event, h2.events.StreamEnded):
                        peer.send_headers(event.stream_id, [
                            (":status", "200"), ("x-connection", str(number)),
                            ("content-length", str(len(bodies[event.stream_id])))])
                        waiting[event.stream_id] = bodies.pop(event.stream_id)
                    elif isinstance(event, h2.events.StreamReset):
                        bodies.pop(event.stream_id, None)
                        waiting.pop(event.stream_id, None)
                push()

        threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
        listener = socket.create_server(("127.0.0.1", 0), backlog=100)
        print(listener.getsockname()[1], flush=True)
        for number in itertools.count():
            plain, _ = listener.accept()
            threading.Thread(target=serve, args=(plain, number), daemon=True).start()
        """
}
