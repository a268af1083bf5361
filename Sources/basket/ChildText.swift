import FileProviderHost

/// An item of a folder, in a line for people.
struct ChildText {
    private let child: ChildState

    init(_ child: ChildState) {
        self.child = child
    }

    var text: String {
        let item = child.state.item
        let size = item.kind == "file" ? Words.bytes(item.size) : ""
        let columns = "\(Words.left(place, 10))  \(Words.right(size, 10))  \(name)"
        return marks.isEmpty ? columns : columns + "  (\(marks.joined(separator: ", ")))"
    }

    private var place: String {
        switch (child.state.item.kind, child.residence) {
        case ("folder", .none): "not listed"
        case ("folder", _): "folder"
        case ("symlink", _): "link"
        case (_, .whole): "here"
        case (_, .partial): "partly"
        case (_, .none): "not here"
        }
    }

    private var name: String {
        let item = child.state.item
        guard !item.path.isEmpty else { return "/" }
        return Words.shown(Words.lastName(of: item.path)) + (item.kind == "folder" ? "/" : "")
    }

    private var marks: [String] {
        var marks: [String] = []
        if child.isPinned { marks.append("pinned") }
        if child.isExcluded { marks.append("only on this device") }
        if let trouble = child.state.trouble {
            marks.append("trouble: \(Words.shown(trouble.message))")
        } else if child.isPending {
            marks.append("waits")
        }
        return marks
    }
}
