import BasketModels
import BasketStore
import BasketSupport

/// The one place where the store's refusals become words of a command. A new case won't compile without
/// them.
struct StoreFailure: ReportableError {
    let code: String
    let message: String
    let exitCode: ExitCode

    init(_ error: StoreError) {
        switch error {
        case .forbidden(let needs):
            (code, exitCode) = ("forbidden", .forbidden)
            message = "the account may not do this: it takes the role ‘\(needs)’."
        case .noSuchAccount(let name):
            (code, exitCode) = ("no_such_account", .notFound)
            message = "there is no account ‘\(name)’.\nSee ‘basket-server account list’."
        case .accountExists(let name):
            (code, exitCode) = ("account_exists", .conflict)
            message = "there is an account ‘\(name)’ already."
        case .lastAdministrator:
            (code, exitCode) = ("last_administrator", .conflict)
            message = "this is the last administrator.\nMake somebody else one first."
        case .accountOwnsDomains(let name):
            (code, exitCode) = ("account_owns_domains", .conflict)
            message = "‘\(name)’ still owns domains.\nSee ‘basket-server domain list’."
        case .noSuchDomain(let name):
            (code, exitCode) = ("no_such_domain", .notFound)
            message = "there is no domain ‘\(name)’.\nSee ‘basket-server domain list’."
        case .domainExists(let name):
            (code, exitCode) = ("domain_exists", .conflict)
            message = "this account has a domain ‘\(name)’ already."
        case .trashNotEmpty:
            (code, exitCode) = ("trash_not_empty", .conflict)
            message =
                "there are items in the trash.\nRestore them or empty it first, with a client."
        case .badField(let field, let reason):
            (code, exitCode) = ("bad_field", .usage)
            message = "this \(field) cannot be: \(reason)."
        case .badName(_, let problem):
            (code, exitCode) = ("bad_name", .usage)
            message = "this name cannot be: \(Self.reason(problem))."
        // What only requests ask for.
        case .notSignedIn, .noSuchDevice, .noSuchMember, .ownerStays, .noSuchItem, .notAFolder,
            .notAFile, .nameTaken, .moveIntoItself, .permanentItem, .folderNotEmpty,
            .trashDisabled, .notInTrash, .staleContent, .staleMetadata, .deletionRejected,
            .noContent, .noSuchVersion, .chunksMissing, .overtaken, .hashMismatch,
            .insufficientQuota, .nothingKept, .anchorExpired, .anchorAhead, .cursorExpired,
            .idempotencyKeyReused:
            (code, exitCode) = ("refused", .failure)
            message = "the data does not allow this.\nSee ‘basket-server check’."
        }
    }

    private static func reason(_ problem: NameProblem) -> String {
        switch problem {
        case .empty: "it is empty"
        case .tooLong(let limit): "it has more than \(limit) bytes"
        case .reserved: "it is reserved"
        case .forbiddenCharacter(let character):
            character.count == 1 ? "it holds ‘\(character)’" : "it holds \(character)"
        case .endsInDotOrSpace: "it ends in a dot or a space"
        }
    }
}
