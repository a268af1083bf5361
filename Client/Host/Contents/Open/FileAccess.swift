/// What a program wants of a file that it opens.
package enum FileAccess: Sendable {
    case reading
    case writing
    /// As for writing, but nothing of what is there is to stay.
    case replacing
}
