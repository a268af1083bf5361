import FileProviderRules
import Foundation

/// One dictionary of a declaration.
struct DeclarationEntry {
    let values: [String: Any]

    func text(_ key: String) throws(DeclarationError) -> String? {
        guard let value = values[key] else { return nil }
        guard let text = value as? String else {
            throw DeclarationError(message: "\(key) is no text.")
        }
        return text
    }

    func requiredText(_ key: String) throws(DeclarationError) -> String {
        guard let text = try text(key), !text.isEmpty else {
            throw DeclarationError(message: "\(key) is missing.")
        }
        return text
    }

    func flag(_ key: String, otherwise: Bool) throws(DeclarationError) -> Bool {
        guard let value = values[key] else { return otherwise }
        guard let flag = value as? Bool else {
            throw DeclarationError(message: "\(key) is neither true nor false.")
        }
        return flag
    }

    func entry(_ key: String) throws(DeclarationError) -> DeclarationEntry? {
        guard let value = values[key] else { return nil }
        guard let values = value as? [String: Any] else {
            throw DeclarationError(message: "\(key) is no dictionary.")
        }
        return DeclarationEntry(values: values)
    }

    func entries(_ key: String) throws(DeclarationError) -> [DeclarationEntry] {
        guard let value = values[key] else { return [] }
        guard let list = value as? [[String: Any]] else {
            throw DeclarationError(message: "\(key) is no array of dictionaries.")
        }
        return list.map { DeclarationEntry(values: $0) }
    }

    func rule(_ key: String) throws(DeclarationError) -> ActivationRule {
        let text = try requiredText(key)
        do {
            return try ActivationRule(text)
        } catch {
            throw DeclarationError(message: "\(key): \(error.message)")
        }
    }

    /// A text, or a format with what is put in.
    func format(_ key: String) throws(DeclarationError) -> DeclaredText? {
        guard let value = values[key] else { return nil }
        if let text = value as? String { return DeclaredText(format: text, values: nil) }
        guard let parts = try entry(key) else { return nil }
        let values = parts.values["NSStringFormatValues"] as? [String] ?? []
        guard values.count <= DeclaredText.mostValues else {
            throw DeclarationError(
                message: "\(key) has more than \(DeclaredText.mostValues) values.")
        }
        return DeclaredText(format: try parts.requiredText("NSStringFormat"), values: values)
    }
}
