import BasketHTTP
import BasketSupport
import BasketUpkeep
import Glibc

/// Decides whether the server speaks TLS, and finds or makes its certificate.
struct ServerTLS {
    private let configuration: Configuration
    private let folder: DataFolder
    private let world: World

    init(_ configuration: Configuration, _ folder: DataFolder, _ world: World) {
        self.configuration = configuration
        self.folder = folder
        self.world = world
    }

    /// Nil for plain HTTP, which never leaves the machine unless the operator says so in so many
    /// words.
    func identity(for address: SocketAddress) throws -> TLSIdentity? {
        let certificate = configuration[ServerSettings.tlsCertificate]
        if configuration[ServerSettings.insecureHTTP] {
            guard certificate == nil, configuration[ServerSettings.tls] == .auto else {
                throw CommandFailure(
                    "bad_setting", "plain HTTP and TLS at once cannot be.\nLeave one of them out.",
                    exitCode: .usage)
            }
            if !address.isLoopback { world.log.warning("serving other machines without TLS") }
            return nil
        }
        if let certificate { return try given(certificate) }
        let isWanted = configuration[ServerSettings.tls] == .always || !address.isLoopback
        guard isWanted else { return nil }
        let identity = try own()
        let missing = missingNames(in: identity)
        if !missing.isEmpty {
            world.log.warning(
                "the certificate is not for every tls-name",
                ["missing": .text(missing.joined(separator: ", ")), "remedy": .text(renewal)])
        }
        return identity
    }

    /// What was set to be in the server's own certificate, and is not: it was made before.
    func missingNames(in identity: TLSIdentity) -> [String] {
        guard configuration[ServerSettings.tlsCertificate] == nil else { return [] }
        return configuration[ServerSettings.tlsNames].filter { !identity.isFor($0) }
    }

    /// What an operator does about that. Not done unasked: clients trust the old one.
    var renewal: String {
        "remove \(folder.tls) and start the server again; clients then see another fingerprint"
    }

    /// The server's own certificate, made on first use.
    func own() throws -> TLSIdentity {
        let files = world.files
        if files.exists(folder.certificate), files.exists(folder.key) {
            return TLSIdentity(
                certificatePEM: try files.contents(of: folder.certificate),
                keyPEM: try files.contents(of: folder.key))
        }
        let identity = try TLSIdentity.selfSigned(names: names(), now: world.now())
        try files.makeFolder(folder.tls)
        // The key first: a certificate without its key would be served with nothing.
        try files.replace(folder.key, with: identity.keyPEM)
        try files.replace(folder.certificate, with: identity.certificatePEM)
        giveToOwner([folder.tls, folder.key, folder.certificate])
        world.log.notice(
            "certificate made", ["fingerprint": .text(identity.fingerprint ?? "unknown")])
        return identity
    }

    /// Made by root for a server that runs as somebody else, they would be in its way.
    private func giveToOwner(_ paths: [String]) {
        var owner = stat()
        guard geteuid() == 0, stat(folder.path, &owner) == 0, owner.st_uid != 0 else { return }
        for path in paths { _ = chown(path, owner.st_uid, owner.st_gid) }
    }

    /// The certificate that clients see, or would see, and where it lies.
    func shown() throws -> (identity: TLSIdentity, path: String) {
        if let certificate = configuration[ServerSettings.tlsCertificate] {
            let identity = try given(certificate)
            try identity.check()
            return (identity, certificate)
        }
        return (try own(), folder.certificate)
    }

    private func given(_ certificate: String) throws -> TLSIdentity {
        guard let key = configuration[ServerSettings.tlsKey] else {
            throw CommandFailure(
                "bad_setting", "a certificate needs its key.\nName it with --tls-key.",
                exitCode: .usage)
        }
        do {
            return TLSIdentity(
                certificatePEM: try world.files.contents(of: certificate),
                keyPEM: try world.files.contents(of: key))
        } catch {
            throw CommandFailure(
                "certificate_unreadable",
                "\(error).\nName readable files with --tls-certificate and --tls-key.")
        }
    }

    /// The machine's own.
    static func hostName() -> String {
        var buffer = [CChar](repeating: 0, count: 256)
        gethostname(&buffer, buffer.count - 1)
        let host = String(
            decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return host.isEmpty ? "localhost" : host
    }

    /// What clients may call this machine.
    private func names() -> [String] {
        var names = configuration[ServerSettings.tlsNames]
        let host = Self.hostName()
        names.append(host)
        if !host.contains(".") { names.append(host + ".local") }
        names += ["localhost", "127.0.0.1", "::1"]
        var seen: Set<String> = []
        return names.filter { seen.insert($0).inserted }
    }
}
