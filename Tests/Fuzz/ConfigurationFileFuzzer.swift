import BasketSupport

/// A configuration file: what is read could have been written in quotes, and says the same then.
enum ConfigurationFileFuzzer: Fuzzer {
    static let name = "configuration-file"

    static func feed(_ bytes: [UInt8]) throws(FuzzFinding) {
        guard let file = try? ConfigurationFile(path: "fuzz.conf", contents: bytes) else {
            return  // Refused, in words; that is as good.
        }
        let quoted = file.lines.map { line in
            var value = String.UnicodeScalarView()
            for scalar in line.value.unicodeScalars {
                if scalar == "\\" || scalar == "\"" { value.append("\\") }
                value.append(scalar)
            }
            return "\(line.name)=\"\(String(value))\"\n"
        }
        let text = Array(quoted.joined().utf8)
        guard text.count <= ConfigurationFile.mostBytes else { return }
        let again = try? ConfigurationFile(path: "fuzz.conf", contents: text)
        guard let again, again.lines.map(\.name) == file.lines.map(\.name),
            again.lines.map(\.value) == file.lines.map(\.value)
        else { throw FuzzFinding("says something else when its values are quoted") }
    }
}
