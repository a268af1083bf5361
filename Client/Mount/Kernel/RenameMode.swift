/// What becomes of who has the name already.
package enum RenameMode: Sendable {
    case replacing
    case exclusive
    case exchanging
}
