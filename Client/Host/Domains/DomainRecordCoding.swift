import BasketSupport
import FileProvider
import Foundation

/// A stored domain as bytes. What one version writes is read by the next; a newer one's form is not guessed at.
package enum DomainRecordCoding {
    enum Failure: Error {
        case newerForm(Int)
        case badRecord
    }

    private struct Form: Codable {
        var form: Int
    }

    private struct Stored: Codable {
        var form = DomainRecordCoding.form
        var identifier: String
        var displayName: String
        var place: String
        var isEnabled: Bool
        var isHidden: Bool
        var testingModes: UInt
        var supportsSyncingTrash: Bool
        var supportsStringSearch: Bool
        var supportedKnownFolders: UInt
        var replicatedKnownFolders: UInt
        var volumeUUID: UUID?
        var volumeURL: URL?
        var userInfo: [String: StoredValue]?
    }

    private static let form = 1

    static func encode(_ domain: StoredDomain) throws -> [UInt8] {
        let record = domain.record
        let stored = Stored(
            identifier: record.identifier.rawValue, displayName: record.displayName,
            place: domain.place, isEnabled: record.userEnabled, isHidden: record.isHidden,
            testingModes: record.testingModes.rawValue,
            supportsSyncingTrash: record.supportsSyncingTrash,
            supportsStringSearch: record.supportsStringSearchRequest,
            supportedKnownFolders: record.supportedKnownFolders.rawValue,
            replicatedKnownFolders: record.replicatedKnownFolders.rawValue,
            volumeUUID: record.volumeUUID, volumeURL: record.volumeURL,
            userInfo: record.userInfo?.entries.mapValues(StoredValue.init))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        return try Array(encoder.encode(stored))
    }

    /// For another process that works for the same domain.
    package static func encode(_ record: DomainRecord, place: String) throws -> [UInt8] {
        let name = place.split(separator: "/").last.map(String.init) ?? ""
        return try encode(StoredDomain(record: record, place: name))
    }

    package static func decodeRecord(_ bytes: [UInt8]) throws -> DomainRecord {
        try decode(bytes).record
    }

    static func decode(_ bytes: [UInt8]) throws -> StoredDomain {
        let decoder = JSONDecoder()
        let form = try decoder.decode(Form.self, from: Data(bytes)).form
        guard form <= Self.form else { throw Failure.newerForm(form) }
        let stored = try decoder.decode(Stored.self, from: Data(bytes))
        var record = DomainRecord(
            identifier: NSFileProviderDomainIdentifier(stored.identifier),
            displayName: stored.displayName)
        record.userEnabled = stored.isEnabled
        record.isHidden = stored.isHidden
        record.testingModes = NSFileProviderDomain.TestingModes(rawValue: stored.testingModes)
        record.supportsSyncingTrash = stored.supportsSyncingTrash
        record.supportsStringSearchRequest = stored.supportsStringSearch
        record.supportedKnownFolders = NSFileProviderKnownFolders(
            rawValue: stored.supportedKnownFolders)
        record.replicatedKnownFolders = NSFileProviderKnownFolders(
            rawValue: stored.replicatedKnownFolders)
        record.volumeUUID = stored.volumeUUID
        record.volumeURL = stored.volumeURL
        record.userInfo = stored.userInfo.map { values in
            DomainUserInfo(entries: values.mapValues(\.value))
        }
        guard record.problem == nil, CaseRule.posix.problem(with: stored.place) == nil else {
            throw Failure.badRecord
        }
        return StoredDomain(record: record, place: stored.place)
    }
}
