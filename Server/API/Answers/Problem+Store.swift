import BasketModels
import BasketStore
import BasketSupport

extension Problem {
    /// The one place where the store's refusals become HTTP's. A new case won't compile without an
    /// answer.
    init(_ error: StoreError) {
        switch error {
        case .notSignedIn: self = .notSignedIn
        case .forbidden(let needs):
            self = Problem(
                403, "forbidden", "You may not do this here.",
                detail: "It needs the role “\(needs)”.")
        case .noSuchAccount(let name):
            self = Problem(404, "no_such_account", "There is no account “\(name)”.")
        case .accountExists(let name):
            self = Problem(409, "account_exists", "There is an account “\(name)” already.")
                .with(field: "name")
        case .noSuchDevice:
            self = Problem(404, "no_such_device", "There is no device with this identifier here.")
        case .lastAdministrator:
            self = Problem(
                409, "last_administrator", "This is the last administrator.",
                detail: "Make somebody else an administrator first.")
        case .accountOwnsDomains(let name):
            self = Problem(
                409, "account_owns_domains", "“\(name)” still owns domains.",
                detail: "Delete them or hand them over first.")
        case .noSuchDomain(let name):
            self = Problem(404, "no_such_domain", "You have no domain “\(name)”.")
        case .domainExists(let name):
            self = Problem(409, "domain_exists", "You have a domain “\(name)” already.")
                .with(field: "name")
        case .noSuchMember(let name):
            self = Problem(404, "no_such_member", "“\(name)” is no member of this domain.")
        case .ownerStays:
            self = Problem(
                409, "owner_stays", "A domain always has one owner.",
                detail: "Make another member the owner first.")
        case .noSuchItem(let name):
            self = Problem(
                404, "no_such_item", "There is no item “\(name)” here.",
                detail: "It may have been deleted; list its folder again.")
        case .notAFolder(let id):
            self = Problem(409, "not_a_folder", "Item \(id) is not a folder.")
        case .notAFile(let id): self = Problem(409, "not_a_file", "Item \(id) is not a file.")
        case .nameTaken(let id):
            self = Problem(
                409, "name_taken", "Another item has this name.",
                detail: "Choose another name, or ask for ifExists=rename."
            )
            .with("existing", .text(id.description))
        case .badName(let field, let problem):
            self = Problem(422, "bad_name", problem.sentence).with(field: field)
        case .badField(let field, let reason):
            self = Problem(422, "bad_field", "“\(field)” cannot be this.", detail: reason)
                .with(field: field)
        case .moveIntoItself(let id):
            self = Problem(409, "move_into_itself", "Folder \(id) cannot go into itself.")
        case .permanentItem(let name):
            self = Problem(
                409, "permanent_item", "The \(name) cannot be changed like this.",
                detail: "A domain always has its root and its trash.")
        case .folderNotEmpty(let id):
            self = Problem(
                409, "folder_not_empty", "Folder \(id) is not empty.",
                detail: "Ask for recursive=true to delete it with everything in it.")
        case .trashDisabled:
            self = Problem(409, "trash_disabled", "This domain has no trash.")
        case .trashNotEmpty:
            self = Problem(
                409, "trash_not_empty", "There are items in the trash.",
                detail: "Restore them, or empty it by deleting the item trash.")
        case .notInTrash(let id):
            self = Problem(409, "not_in_trash", "Item \(id) is not in the trash.")
        case .staleContent(let id):
            self = Problem(
                412, "stale_content", "The content of item \(id) has changed meanwhile.",
                detail:
                    "Look at it again, and say that you have seen what is there now. A content can also "
                    + "be sent with onConflict=keep, and is then kept beside it.")
        case .staleMetadata(let id):
            self = Problem(412, "stale_metadata", "Item \(id) has changed meanwhile.")
        case .deletionRejected(let id):
            self = Problem(
                409, "deletion_rejected", "Item \(id) has changed since you saw it.",
                detail: "Look at it again before you delete it.")
        case .noContent(let id): self = Problem(404, "no_content", "Item \(id) has no content yet.")
        case .noSuchVersion(let version):
            self = Problem(
                404, "version_not_available", "Version \(version) is not there any more.")
        case .chunksMissing(let hashes):
            self = Problem(
                409, "chunks_missing", "Chunks are missing: \(hashes.count).",
                detail: "Send them, then this request again."
            ).with("missing", .list(hashes))
        case .overtaken: self = .busy
        case .hashMismatch(let expected, let actual):
            self = Problem(
                422, "hash_mismatch", "The bytes are not what they should be.",
                detail: "Announced \(expected), received \(actual).")
        case .insufficientQuota(let needed, let available):
            self = Problem(507, "insufficient_quota", "There is no room for this.")
                .with("needed", .number(needed)).with("available", .number(available))
        case .nothingKept:
            self = Problem(
                422, "nothing_kept", "At least one version must be kept.",
                detail: "Delete the item to be rid of all of them."
            )
            .with(field: "keep")
        case .anchorExpired:
            self = Problem(
                410, "anchor_expired", "This anchor is not known any more.",
                detail: "List everything again: ask for changes without since.")
        case .anchorAhead:
            self = Problem(
                410, "anchor_ahead", "This anchor is newer than all that the server knows.",
                detail:
                    "It was put back to an earlier state. Offer it what you have, and list everything again."
            )
        case .cursorExpired:
            self = Problem(410, "cursor_expired", "This cursor does not fit. List from the start.")
                .with(field: "cursor")
        case .idempotencyKeyReused:
            self = Problem(
                422, "idempotency_key_reused", "This key was used for another request.",
                detail: "Choose a new Idempotency-Key for each request.")
        }
    }

    static let notSignedIn = Problem(
        401, "not_signed_in", "Log in first.",
        detail: "Send Authorization: Bearer TOKEN, or a name and password by Basic."
    ).with(header: "WWW-Authenticate", "Bearer realm=\"Basket\", Basic realm=\"Basket\"")
}

extension StoreError {
    /// The item that its reader wants to see before trying again.
    var subject: ItemID? {
        switch self {
        case .nameTaken(let id), .staleContent(let id), .staleMetadata(let id),
            .deletionRejected(let id):
            id
        default: nil
        }
    }
}

extension NameProblem {
    fileprivate var sentence: String {
        switch self {
        case .empty: "A name cannot be empty."
        case .tooLong(let limit): "A name cannot be longer than \(limit) bytes."
        case .reserved: "This name is reserved."
        case .forbiddenCharacter(let character): "A name cannot hold \(character)."
        case .endsInDotOrSpace: "A name cannot end in a dot or a space here."
        }
    }
}
