/// The columns of a node. They are called as in the table, and every statement names them in this order.
enum NodeColumn: Int32, CaseIterable {
    case id, identifier, trees
    // The main entry.
    case parent, name, kind, bounced, version, edit, target, created, modified, used, flags,
        favorite
    case tags, extended, creator
    // The others.
    case synced, remote, remoteParent, remoteKey, metadata, baseMetadata, remoteSize
    // What is not compared.
    case key, size, capabilities, policy, type, facts
    // What is here.
    case residence, file, frozen, basis, basisVersion, wanted, here, opened, listed
    // What is to be done.
    case unanswered, muted, excluded, turn, waits
    case requested
    case uploading
    case unheard
    case contentVersion, baseContentVersion
    case touched, changed

    static let all = allCases.map { "node.\($0)" }.joined(separator: ", ")

    static let insert = "INSERT INTO \(row)"
    static let insertIfFree = "INSERT OR IGNORE INTO \(row)"

    private static let row = """
        node (\(allCases.map { "\($0)" }.joined(separator: ", ")))
        VALUES (\(allCases.map { "?\($0.rawValue + 1)" }.joined(separator: ", ")))
        """
}
