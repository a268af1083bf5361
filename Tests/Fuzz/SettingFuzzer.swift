import BasketSupport

/// The values of settings: each kind reads what it wrote.
enum SettingFuzzer: Fuzzer {
    static let name = "setting"

    static func feed(_ bytes: [UInt8]) throws(FuzzFinding) {
        let text = String(decoding: bytes, as: UTF8.self)
        try check(text, as: Bool.self)
        try check(text, as: Int.self)
        try check(text, as: ByteCount.self)
        try check(text, as: Duration.self)
        try check(text, as: SocketAddress.self)
        try check(text, as: [ByteCount].self)
        try check(text, as: [String].self)
        try check(text, as: Int?.self)
        try check(text, as: LogFormat.self)
    }

    private static func check<Value: SettingValue>(
        _ text: String, as type: Value.Type
    ) throws(FuzzFinding) {
        guard let value = try? Value.read(text) else { return }  // Refused, in words.
        guard let again = try? Value.read(value.settingText), again == value else {
            throw FuzzFinding("'\(text)' as \(type) is written '\(value.settingText)'")
        }
    }
}
