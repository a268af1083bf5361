/// Why a name was refused.
package enum NameProblem: Error, Equatable, Sendable {
    case empty
    case tooLong(limit: Int)
    case reserved
    case forbiddenCharacter(String)
    case endsInDotOrSpace
}
