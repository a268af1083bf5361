/// A content that was put beside another one, as if their writers had not known of each other.
struct Race: Sendable {
    let name: String
    let lost: String
    /// What was there just then.
    let won: String
    /// Whether that is what it was put beside, and not just something else of the same folder.
    let isMeant: Bool
}
