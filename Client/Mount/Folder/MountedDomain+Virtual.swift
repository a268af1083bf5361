import FileProvider
import FileProviderHost
import FileProviderReplica
import Foundation
import Glibc

// Attributes that tell what the host knows of an item.
extension MountedDomain {
    private static let (yes, no) = ("1", "0")

    func value(of attribute: VirtualAttribute, _ id: NodeID) throws -> FuseReply {
        guard let node = try host.replica.read({ try $0.node(id) }), node.trees.local != nil else {
            throw LocalError.notFound
        }
        guard let text = try text(of: attribute, node) else { throw Refusal(ENODATA) }
        return .attribute(Array(text.utf8))
    }

    private func text(of attribute: VirtualAttribute, _ node: StoredNode) throws -> String? {
        switch attribute {
        case .state: try state(node)
        case .content: node.kind == .file ? Self.content(node) : nil
        case .version: Self.version(node)
        case .error: try host.replica.read { try $0.trouble(of: node.id)?.message }
        case .decoration:
            try Self.lines(host.decorations(of: node.id).map { $0.label ?? $0.identifier.rawValue })
        case .pinned: try isPinned(node.id) ? Self.yes : Self.no
        }
    }

    private func state(_ node: StoredNode) throws -> String {
        if node.exclusion != .no { return "local" }
        guard node.turn != nil, let step = try host.plan(for: node.id) else { return "synced" }
        switch step {
        case .nothing: return "synced"
        case .exclude: return "local"
        default:
            return try host.replica.read { try $0.trouble(of: node.id) } == nil
                ? "waiting" : "failed"
        }
    }

    private static func content(_ node: StoredNode) -> String {
        switch node.residence {
        case .dataless: "none"
        case .partial: "partial"
        case .whole: "whole"
        }
    }

    /// As text where it is one.
    private static func version(_ node: StoredNode) -> String? {
        guard case .version(let version)? = node.main?.content else { return nil }
        let text = String(data: version, encoding: .utf8)
        let isPlain = text?.unicodeScalars.allSatisfy { (" "..."~").contains($0) } ?? false
        return isPlain ? text : version.base64EncodedString()
    }

    private static func lines(_ words: [String]) -> String? {
        words.isEmpty ? nil : words.joined(separator: "\n")
    }

    private func isPinned(_ id: NodeID) throws -> Bool {
        try host.replica.read { try $0.policy(of: id) } == .downloadEagerlyAndKeepDownloaded
    }

    func set(
        _ attribute: VirtualAttribute, to value: [UInt8], of id: NodeID
    ) async throws -> FuseReply {
        guard attribute.isWritable else { throw Refusal(EPERM) }
        let isOn: Bool
        switch String(decoding: value, as: UTF8.self).trimmingCharacters(
            in: .whitespacesAndNewlines)
        {
        case Self.yes: isOn = true
        case Self.no: isOn = false
        default: throw Refusal(EINVAL)
        }
        guard try isPinned(id) != isOn else { return .done }
        try await host.waitForNames(of: [id])
        switch try host.pinning(isOn, [id]) {
        case .action(let action): try await host.perform(action, on: [id])
        case .isSo: break
        case .notOffered: throw Refusal(EOPNOTSUPP)
        }
        return .done
    }
}
