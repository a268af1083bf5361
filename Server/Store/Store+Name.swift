import BasketDatabase
import BasketModels

extension Store {
    /// What this data folder is called: by another name from the moment on when a copy of it was restored, and so may
    /// have lost what others still know.
    package func name() throws -> String {
        let name: Int64 = try read { try $0.value("SELECT name FROM server") } ?? 0
        return "\(Version(rawValue: name))"
    }
}
