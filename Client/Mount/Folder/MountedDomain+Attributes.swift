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

    /// Of a node; or of what has lost its name, as those alone see it who have it open.
    private func attributes(by number: UInt64) throws -> EntryAttributes {
        if let (id, _) = try whose(number),
            let local = try host.replica.read({ try $0.node(id)?.trees.local })
        {
            return local.attributes
        }
        guard let kept = view.kept(of: number) else { throw LocalError.notFound }
        return kept
    }

    /// - Throws: a refusal for what has lost its name, which is no item any more.
    private func item(_ number: UInt64, refusal: Int32) throws -> NodeID {
        if let (id, _) = try whose(number) { return id }
        guard view.kept(of: number) == nil else { throw Refusal(refusal) }
        throw LocalError.notFound
    }

    private func change(
        by number: UInt64, _ change: @escaping @Sendable (inout EntryAttributes) -> Void
    ) async throws {
        if let (id, _) = try whose(number) {
            try await host.setAttributes(of: id, change)
            return
        }
        view.changeKept(of: number, change)
    }

    func attribute(_ name: String, of number: UInt64) throws -> FuseReply {
        if let attribute = VirtualAttribute(rawValue: name) {
            return try value(of: attribute, item(number, refusal: ENODATA))
        }
        // The kernel asks for its own with each write, and programs for lists of rights with each file that they list: who
        // hears that there is no such thing here asks once.
        guard name.hasPrefix(Self.own) else { throw Refusal(EOPNOTSUPP) }
        guard Self.isShown(name), let value = try Self.value(name, attributes(by: number)) else {
            throw Refusal(ENODATA)
        }
        return .attribute(Array(value))
    }

    private static func value(_ name: String, _ attributes: EntryAttributes) -> Data? {
        guard name == TagList.attribute else { return attributes.extended[name] }
        return TagList.shown(attributes.tags, written: attributes.extended[name])
    }

    func attributes(of number: UInt64) throws -> FuseReply {
        let attributes = try attributes(by: number)
        let names = Set(attributes.extended.keys).union([TagList.attribute])
            .filter { Self.isShown($0) && Self.value($0, attributes) != nil }
        return .attribute(names.sorted().flatMap { Array($0.utf8) + [0] })
    }

    private static func isShown(_ name: String) -> Bool {
        name.hasPrefix(own) && !name.hasPrefix(VirtualAttribute.prefix)
    }

    private func isKnown(_ name: String, of number: UInt64) throws -> Bool {
        try Self.value(name, attributes(by: number)) != nil
    }

    func setAttribute(
        _ name: String, _ value: [UInt8], of number: UInt64, _ mode: AttributeMode,
        _ caller: Caller
    ) async throws -> FuseReply {
        if let attribute = VirtualAttribute(rawValue: name) {
            return try await set(attribute, to: value, of: item(number, refusal: EPERM))
        }
        try requireOwn(name)
        let isKnown = try isKnown(name, of: number)
        switch mode {
        // The process before may have set it.
        case .new: if isKnown, !caller.isRepeated { throw Refusal(EEXIST) }
        case .known: if !isKnown { throw Refusal(ENODATA) }
        case .any: break
        }
        if name == TagList.attribute, let text = String(validating: value, as: UTF8.self) {
            let tags = TagList.data(text)
            let isPlain = TagList.text(tags) == text
            try await change(by: number) { attributes in
                attributes.tags = tags
                attributes.extended[name] = isPlain ? nil : Data(value)
            }
            return .done
        }
        try await change(by: number) { $0.extended[name] = Data(value) }
        return .done
    }

    func removeAttribute(
        _ name: String, of number: UInt64, _ caller: Caller
    ) async throws -> FuseReply {
        try requireOwn(name)
        guard try isKnown(name, of: number) else {
            if caller.isRepeated { return .done }
            throw Refusal(ENODATA)
        }
        try await change(by: number) { attributes in
            attributes.extended[name] = nil
            if name == TagList.attribute { attributes.tags = nil }
        }
        return .done
    }
}
