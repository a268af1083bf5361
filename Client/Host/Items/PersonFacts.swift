import FileProviderRules
import Foundation

/// What a person is called.
struct PersonFacts: Sendable, Codable, PredicateObject {
    var namePrefix: String?
    var givenName: String?
    var middleName: String?
    var familyName: String?
    var nameSuffix: String?
    var nickname: String?

    init(_ name: PersonNameComponents) {
        namePrefix = name.namePrefix
        givenName = name.givenName
        middleName = name.middleName
        familyName = name.familyName
        nameSuffix = name.nameSuffix
        nickname = name.nickname
    }

    func value(for key: String) -> PredicateValue? {
        let name: String? =
            switch key {
            case "namePrefix": namePrefix
            case "givenName": givenName
            case "middleName": middleName
            case "familyName": familyName
            case "nameSuffix": nameSuffix
            case "nickname": nickname
            default: nil
            }
        return name.map { .string($0) }
    }
}
