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
        // What is special here is no place for what programs want to keep.
        guard !name.hasPrefix(VirtualAttribute.prefix) else { throw Refusal(EPERM) }
    }

    private func local(_ id: NodeID) throws -> EntryAttributes {
        guard let local = try host.replica.read({ try $0.node(id)?.trees.local }) else {
            throw LocalError.notFound
        }
        return local.attributes
    }

    func attribute(_ name: String, of id: NodeID) throws -> FuseReply {
        if let attribute = VirtualAttribute(rawValue: name) {
            return try value(of: attribute, id)
        }
        // The kernel asks for its own with each write, and programs for lists of rights with each file that they list: who
        // hears that there is no such thing here asks once.
        guard name.hasPrefix(Self.own) else { throw Refusal(EOPNOTSUPP) }
        let attributes = try local(id)
        if name == TagList.attribute, let tags = TagList.text(attributes.tags) {
            return .attribute(Array(tags.utf8))
        }
        guard Self.isShown(name), let value = attributes.extended[name] else {
            throw Refusal(ENODATA)
        }
        return .attribute(Array(value))
    }

    func attributes(of id: NodeID) throws -> FuseReply {
        let attributes = try local(id)
        var names = Set(attributes.extended.keys.filter(Self.isShown))
        if TagList.text(attributes.tags) != nil { names.insert(TagList.attribute) }
        return .attribute(names.sorted().flatMap { Array($0.utf8) + [0] })
    }

    private static func isShown(_ name: String) -> Bool {
        name.hasPrefix(own) && !name.hasPrefix(VirtualAttribute.prefix)
    }

    private func isKnown(_ name: String, of id: NodeID) throws -> Bool {
        let attributes = try local(id)
        return attributes.extended[name] != nil
            || name == TagList.attribute && TagList.text(attributes.tags) != nil
    }

    func setAttribute(
        _ name: String, _ value: [UInt8], of id: NodeID, _ mode: AttributeMode
    ) async throws -> FuseReply {
        if let attribute = VirtualAttribute(rawValue: name) {
            return try await set(attribute, to: value, of: id)
        }
        try requireOwn(name)
        let isKnown = try isKnown(name, of: id)
        switch mode {
        case .new: if isKnown { throw Refusal(EEXIST) }
        case .known: if !isKnown { throw Refusal(ENODATA) }
        case .any: break
        }
        if name == TagList.attribute, let text = String(validating: value, as: UTF8.self) {
            let tags = TagList.data(text)
            try await host.setAttributes(of: id) { $0.tags = tags }
            return .done
        }
        try await host.setAttributes(of: id) { $0.extended[name] = Data(value) }
        return .done
    }

    func removeAttribute(_ name: String, of id: NodeID) async throws -> FuseReply {
        try requireOwn(name)
        guard try isKnown(name, of: id) else { throw Refusal(ENODATA) }
        try await host.setAttributes(of: id) { attributes in
            attributes.extended[name] = nil
            if name == TagList.attribute { attributes.tags = nil }
        }
        return .done
    }
}
