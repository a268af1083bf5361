import BasketSupport
import FileProviderHost
import FileProviderReplica
import Foundation
import Glibc

// Extended attributes: a person's own, and those by which programs learn what is special here.
extension MountedDomain {
    private static let own = "user."

    /// - Throws: `EOPNOTSUPP` for what only an administrator may set, and what is not a person's.
    private func requireOwn(_ name: String) throws {
        guard name.hasPrefix(Self.own), name.utf8.count > Self.own.utf8.count else {
            throw Refusal(EOPNOTSUPP)
        }
        guard name != EntryAttributes.modeAttribute else { throw Refusal(EPERM) }
    }

    private func local(_ id: NodeID) throws -> EntryAttributes {
        guard let local = try host.replica.read({ try $0.node(id)?.trees.local }) else {
            throw LocalError.notFound
        }
        return local.attributes
    }

    func attribute(_ name: String, of id: NodeID) throws -> FuseReply {
        guard name.hasPrefix(Self.own), name != EntryAttributes.modeAttribute,
            let value = try local(id).extended[name]
        else { throw Refusal(ENODATA) }
        return .attribute(Array(value))
    }

    func attributes(of id: NodeID) throws -> FuseReply {
        let names = try local(id).extended.keys.filter { $0 != EntryAttributes.modeAttribute }
        return .attribute(names.sorted().flatMap { Array($0.utf8) + [0] })
    }

    func setAttribute(
        _ name: String, _ value: [UInt8], of id: NodeID, _ mode: AttributeMode
    ) async throws -> FuseReply {
        try requireOwn(name)
        let isKnown = try local(id).extended[name] != nil
        switch mode {
        case .new: if isKnown { throw Refusal(EEXIST) }
        case .known: if !isKnown { throw Refusal(ENODATA) }
        case .any: break
        }
        try await host.setAttributes(of: id) { $0.extended[name] = Data(value) }
        return .done
    }

    func removeAttribute(_ name: String, of id: NodeID) async throws -> FuseReply {
        try requireOwn(name)
        guard try local(id).extended[name] != nil else { throw Refusal(ENODATA) }
        try await host.setAttributes(of: id) { $0.extended[name] = nil }
        return .done
    }
}
