import BasketSupport

/// Where a server keeps everything.
struct DataFolder {
    let path: String

    init(_ path: String) {
        self.path = path
    }

    var database: String { path + "/basket.db" }
    var tls: String { path + "/tls" }
    var certificate: String { tls + "/certificate.pem" }
    var key: String { tls + "/key.pem" }

    func prepare(_ files: any FileSystem) throws {
        try files.makeFolder(path)
    }
}
