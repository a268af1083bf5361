import BasketStore
import BasketSupport

/// The one place where the store's refusals become words of a command.
struct StoreFailure: ReportableError {
    let code: String
    let message: String
    let exitCode: ExitCode

    /// Nil for what a command cannot cause.
    init?(_ error: StoreError) {
        switch error {
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
        case .badField(let field, let reason):
            (code, exitCode) = ("bad_field", .usage)
            message = "this \(field) cannot be: \(reason)."
        case .badName:
            (code, exitCode) = ("bad_name", .usage)
            message = "this name cannot be."
        default: return nil
        }
    }
}
