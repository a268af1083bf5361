import BasketSupport
import FileProvider
import Foundation

/// The folders of all domains, and the record in each of them.
struct DomainShelf: Sendable {
    /// What was found there. A record that cannot be read concerns one domain, and stays as it is.
    struct Contents {
        var domains: [StoredDomain] = []
        var unavailable: [NSFileProviderDomainIdentifier: String] = [:]
    }

    let folder: String
    let files: any FileSystem

    private static let record = "domain.json"
    /// The same once more, for where the disk does not give that back: a replica is of no use to anybody without it.
    private static let copy = "domain.json.copy"
    /// What a replica is called of which nothing is needed any more.
    private static let going = "going"
    /// Notes that a domain is being removed. A file of its own goes also where no room is left.
    private static let removal = "removal.json"
    /// Notes that a tree is being taken over for it.
    private static let arrival = "arrival.json"

    func folder(of domain: NSFileProviderDomainIdentifier) -> String {
        "\(folder)/\(Self.name(of: domain))"
    }

    func replica(of domain: NSFileProviderDomainIdentifier) -> String {
        folder(of: domain) + "/replica"
    }

    func load() throws(FileError) -> Contents {
        try files.makeFolder(folder)
        var contents = Contents()
        for name in try files.list(folder) {
            guard let identifier = Self.domain(ofFolder: name) else { continue }
            do {
                guard let domain = try load(identifier) else { continue }
                contents.domains.append(domain)
            } catch {
                contents.unavailable[identifier] = "\(error)"
            }
        }
        return contents
    }

    /// Nil for a folder that was only begun, or all but removed; nothing is left of that.
    private func load(_ identifier: NSFileProviderDomainIdentifier) throws -> StoredDomain? {
        let (folder, path) = (folder(of: identifier), recordPath(of: identifier))
        if try files.factsIfAny(of: path) == nil, try removeIfBegun(folder) { return nil }
        var domain: StoredDomain
        do {
            domain = try load(identifier, from: path)
        } catch DomainRecordCoding.Failure.newerForm(let form) {
            throw DomainRecordCoding.Failure.newerForm(form)
        } catch {
            guard let copy = try? load(identifier, from: copyPath(of: identifier)) else {
                throw error
            }
            domain = copy
            try? files.replace(path, with: DomainRecordCoding.encode(copy))
        }
        let note = removalPath(of: identifier)
        if try files.factsIfAny(of: note) != nil {
            domain.removal = try JSONDecoder().decode(
                DomainRemoval.self, from: Data(files.contents(of: note)))
        }
        let source = arrivalPath(of: identifier)
        if try files.factsIfAny(of: source) != nil {
            domain.arrival = try JSONDecoder().decode(
                String.self, from: Data(files.contents(of: source)))
        }
        return domain
    }

    private func load(
        _ identifier: NSFileProviderDomainIdentifier, from path: String
    ) throws -> StoredDomain {
        let domain = try DomainRecordCoding.decode(files.contents(of: path))
        guard domain.identifier == identifier else { throw DomainRecordCoding.Failure.badRecord }
        return domain
    }

    /// Removes a folder in which nothing is but notes of this shelf's.
    private func removeIfBegun(_ folder: String) throws(FileError) -> Bool {
        let names = try files.list(folder)
        let isBegun = names.allSatisfy { name in
            [Self.record, Self.removal, Self.arrival].contains { name.hasPrefix($0) }
        }
        if isBegun { try files.removeTree(folder) }
        return isBegun
    }

    /// Whether nothing of anybody's is where a new domain is to lie.
    func makesRoom(for domain: NSFileProviderDomainIdentifier) throws(FileError) -> Bool {
        let folder = folder(of: domain)
        guard try files.factsIfAny(of: folder) != nil else { return true }
        return try removeIfBegun(folder)
    }

    /// Durable when this returns.
    func store(_ domain: StoredDomain) throws {
        let bytes = try DomainRecordCoding.encode(domain)
        let folder = folder(of: domain.identifier)
        let isNew = try files.factsIfAny(of: folder) == nil
        try files.makeFolder(folder)
        try files.replace(recordPath(of: domain.identifier), with: bytes)
        do {
            try files.replace(copyPath(of: domain.identifier), with: bytes)
        } catch {
            // An earlier one would say something else.
            try? files.remove(copyPath(of: domain.identifier))
        }
        if isNew { try files.synchronizeFolder(self.folder) }
    }

    func store(
        _ removal: DomainRemoval, of domain: NSFileProviderDomainIdentifier
    ) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        try files.replace(removalPath(of: domain), with: Array(encoder.encode(removal)))
    }

    func forgetRemoval(of domain: NSFileProviderDomainIdentifier) throws(FileError) {
        let path = removalPath(of: domain)
        if try files.factsIfAny(of: path) != nil { try files.remove(path) }
        try files.synchronizeFolder(folder(of: domain))
    }

    /// - Parameter source: where the tree is that is to be taken over.
    func noteArrival(
        from source: String, of domain: NSFileProviderDomainIdentifier
    ) throws {
        try files.makeFolder(folder(of: domain))
        try files.replace(arrivalPath(of: domain), with: Array(JSONEncoder().encode(source)))
        try files.synchronizeFolder(folder)
    }

    func forgetArrival(of domain: NSFileProviderDomainIdentifier) throws(FileError) {
        let path = arrivalPath(of: domain)
        if try files.factsIfAny(of: path) != nil { try files.remove(path) }
        try files.synchronizeFolder(folder(of: domain))
    }

    /// The record goes after the replica, and what is noted about its removal after that: until then it is known what
    /// is to be done.
    func remove(_ domain: NSFileProviderDomainIdentifier) throws(FileError) {
        let going = folder(of: domain) + "/" + Self.going
        try files.removeTree(going)
        if try hasReplica(domain) {
            // Nobody takes half of it for a replica.
            try files.rename(replica(of: domain), to: going)
            try files.synchronizeFolder(folder(of: domain))
        }
        try files.removeTree(going)
        for path in [copyPath(of: domain), recordPath(of: domain)]
        where try files.factsIfAny(of: path) != nil { try files.remove(path) }
        try files.removeTree(folder(of: domain))
        try files.synchronizeFolder(folder)
    }

    /// Whether nothing of its replica was thrown away yet.
    func hasReplica(_ domain: NSFileProviderDomainIdentifier) throws(FileError) -> Bool {
        try files.factsIfAny(of: replica(of: domain)) != nil
    }

    private func recordPath(of domain: NSFileProviderDomainIdentifier) -> String {
        folder(of: domain) + "/" + Self.record
    }

    private func copyPath(of domain: NSFileProviderDomainIdentifier) -> String {
        folder(of: domain) + "/" + Self.copy
    }

    private func removalPath(of domain: NSFileProviderDomainIdentifier) -> String {
        folder(of: domain) + "/" + Self.removal
    }

    private func arrivalPath(of domain: NSFileProviderDomainIdentifier) -> String {
        folder(of: domain) + "/" + Self.arrival
    }

    // MARK: Names

    /// A domain may be called what no folder can, or what hides it.
    static func name(of domain: NSFileProviderDomainIdentifier) -> String {
        let name = domain.rawValue.replacing("%", with: "%25")
        return name.hasPrefix(".") ? "%2E" + name.dropFirst() : name
    }

    private static func domain(ofFolder name: String) -> NSFileProviderDomainIdentifier? {
        guard !name.hasPrefix("."), let text = name.removingPercentEncoding else { return nil }
        return NSFileProviderDomainIdentifier(text)
    }

    static func canHold(_ domain: NSFileProviderDomainIdentifier) -> Bool {
        CaseRule.posix.problem(with: name(of: domain)) == nil
    }
}
