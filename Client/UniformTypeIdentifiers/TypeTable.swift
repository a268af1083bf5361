import Foundation

/// Every type that the process knows: those that are built in, then what the database of MIME types adds.
/// Read once, when the first type is asked for, and never changed.
final class TypeTable: Sendable {
    static let shared = TypeTable(folders: TypeTable.folders)

    /// Where the database of MIME types lies: the user's own first, then the system's.
    static let folders: [String] = {
        let environment = ProcessInfo.processInfo.environment
        let home = environment["XDG_DATA_HOME"] ?? environment["HOME"].map { $0 + "/.local/share" }
        let system = environment["XDG_DATA_DIRS"] ?? ""
        let shared = (system.isEmpty ? "/usr/local/share:/usr/share" : system).split(separator: ":")
        return ([home].compactMap { $0 } + shared.prefix(16).map(String.init))
            .filter { $0.hasPrefix("/") }.map { $0 + "/mime" }
    }()

    let declarations: [TypeDeclaration]
    /// For each declaration the places of every wider type.
    let ancestors: [[Int]]
    private let byIdentifier: [String: Int]
    private let byExtension: [String: [Int]]
    private let byMIMEType: [String: [Int]]
    private let aliases: [String: String]

    init(folders: [String]) {
        let database = MIMEDatabase(folders: folders)
        var declarations = BuiltInTypes.all
        var byMIMEType: [String: [Int]] = [:]
        for (index, declaration) in declarations.enumerated() {
            for type in declaration.mimeTypes { byMIMEType[type, default: []].append(index) }
        }
        let builtIn = byMIMEType
        // Sorted, so that the table is the same in every process.
        for type in database.types.sorted() {
            guard let name = MIMEIdentifier.identifier(of: type),
                builtIn[type] == nil, builtIn[database.canonical(type)] == nil,
                !type.hasPrefix("inode/")
            else { continue }
            byMIMEType[type, default: []].append(declarations.count)
            declarations.append(
                TypeDeclaration(
                    identifier: name, mimeTypes: [type],
                    extensions: database.extensions[type] ?? [],
                    parents: Self.parents(of: type, in: database, knowing: builtIn) {
                        BuiltInTypes.all[$0].identifier
                    }))
        }
        var byIdentifier: [String: Int] = [:]
        for (index, declaration) in declarations.enumerated() {
            byIdentifier[declaration.identifier.lowercased()] = index
        }
        self.declarations = declarations
        self.byIdentifier = byIdentifier
        self.byMIMEType = byMIMEType
        aliases = database.aliases
        byExtension = Self.extensions(of: declarations, in: database, byMIMEType)
        ancestors = declarations.indices.map {
            Self.ancestors(of: $0, in: declarations, byIdentifier)
        }
    }

    func type(at index: Int) -> UTType {
        UTType(identifier: declarations[index].identifier, declaration: index)
    }

    func index(ofIdentifier identifier: String) -> Int? {
        byIdentifier[identifier] ?? byIdentifier[identifier.lowercased()]
    }

    /// The type of a tag that nobody declared.
    func dynamic(_ tag: DynamicTag) -> UTType {
        let parent = index(ofIdentifier: tag.parent) ?? index(ofIdentifier: "public.data")
        return UTType(
            identifier: tag.identifier, declaration: nil, adopted: parent.map { [$0] } ?? [])
    }

    /// The types that a tag may stand for, the likeliest first.
    func candidates(_ tag: TypeTag) -> [Int] {
        guard tag.tagClass == .filenameExtension else {
            return byMIMEType[tag.text] ?? aliases[tag.text].flatMap { byMIMEType[$0] } ?? []
        }
        // As it is first: `C` is C++, `c` is C.
        return byExtension[tag.text] ?? byExtension[tag.text.lowercased()] ?? []
    }

    /// What the built-in types claim comes first, then what the database says, by its weights.
    private static func extensions(
        of declarations: [TypeDeclaration], in database: MIMEDatabase, _ byMIMEType: [String: [Int]]
    ) -> [String: [Int]] {
        var places: [String: [Int]] = [:]
        for (index, declaration) in declarations.prefix(BuiltInTypes.all.count).enumerated() {
            for suffix in declaration.extensions { places[suffix, default: []].append(index) }
        }
        for (suffix, types) in database.claims {
            for type in types {
                for index in byMIMEType[database.canonical(type)] ?? byMIMEType[type] ?? []
                where places[suffix]?.contains(index) != true {
                    places[suffix, default: []].append(index)
                }
            }
        }
        return places
    }

    /// The identifiers of what a type of the database conforms to; by its first word where nothing is said.
    private static func parents(
        of type: String, in database: MIMEDatabase, knowing builtIn: [String: [Int]],
        name: (Int) -> String
    ) -> [String] {
        let said = (database.parents[type] ?? []).compactMap { parent -> String? in
            let parent = database.canonical(parent)
            if let known = builtIn[parent]?.first { return name(known) }
            return database.types.contains(parent) ? MIMEIdentifier.identifier(of: parent) : nil
        }
        let implied: String =
            switch type.prefix(while: { $0 != "/" }) {
            case "text": "public.plain-text"
            case "image": "public.image"
            case "audio": "public.audio"
            case "video": "public.movie"
            case "font": "public.font"
            case "x-content", "x-scheme-handler": "public.item"
            default: "public.data"
            }
        // An image that is also XML is still an image.
        return said + (said.isEmpty || implied != "public.data" ? [implied] : [])
    }

    /// Every wider type. A database that goes in circles ends where it has been.
    private static func ancestors(
        of index: Int, in declarations: [TypeDeclaration], _ byIdentifier: [String: Int]
    ) -> [Int] {
        var found: [Int] = []
        var waiting = [index]
        while let next = waiting.popLast() {
            for parent in declarations[next].parents {
                guard let place = byIdentifier[parent.lowercased()], place != index,
                    !found.contains(place)
                else { continue }
                found.append(place)
                waiting.append(place)
            }
        }
        return found
    }
}
