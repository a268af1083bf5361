import TestSupport

/// Somebody who logs devices in and out, and knows which of them must be there.
struct CrashGuest: Sendable {
    static let name = "guest"

    private let prefix: String
    private let password: String
    private var count = 0
    /// Devices whose log-in was acknowledged, by their names: their tokens.
    private var tokens: [String: String] = [:]
    /// Of these, one whose log-out was not answered.
    private var leaving: String?

    init(number: Int, password: String) {
        prefix = "guest\(number)-"
        self.password = password
    }

    /// Logs a device in, or the last one out. Throws when the server is gone.
    mutating func step(_ port: UInt16) throws {
        if let (name, token) = tokens.first {
            leaving = name
            let caller = Caller(port: port, token: token)
            try caller.expect(204, try caller.delete("/v1/sessions/current"))
            (tokens[name], leaving) = (nil, nil)
        } else {
            count += 1
            let name = "\(prefix)\(count)"
            tokens[name] = try ServerProcess.logIn(
                port, password, account: Self.name, device: name)
        }
    }

    /// Whoever was logged in is, and nobody who was logged out.
    mutating func verify(_ port: UInt16, _ caller: Caller) throws {
        let devices = try caller.expect(200, try caller.get("/v1/devices"))["devices"].array
        let mine = devices.filter { $0["name"].string?.hasPrefix(prefix) == true }
        let names = Set(mine.compactMap { $0["name"].string })
        if let leaving, !names.contains(leaving) { tokens[leaving] = nil }
        leaving = nil
        for (name, token) in tokens {
            let own = Caller(port: port, token: token)
            guard names.contains(name), try own.get("/v1/domains").status == 200 else {
                throw Failure("\(name) was logged in, and is not any more")
            }
        }
        for device in mine where tokens[device["name"].string ?? ""] == nil {
            // Only a log-in without an answer may have left it.
            guard device["name"].string == "\(prefix)\(count)", let id = device["id"].string else {
                throw Failure("\(device.text) was logged out")
            }
            try caller.expect(204, try caller.delete("/v1/devices/\(id)"))
        }
    }
}
