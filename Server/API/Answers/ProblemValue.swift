import BasketModels

/// What a problem's further members may hold.
enum ProblemValue: Sendable {
    case text(String)
    case number(Int64)
    case list([String])

    func write(to writer: inout JSONWriter) {
        switch self {
        case .text(let text): writer.string(text)
        case .number(let number): writer.number(number)
        case .list(let entries):
            writer.array { writer in
                for entry in entries { writer.string(entry) }
            }
        }
    }
}
