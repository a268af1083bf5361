/// What a quota limits.
enum RoomScope: Sendable {
    case domain(Int64)
    case owner(Int64)

    var isDomain: Bool {
        if case .domain = self { true } else { false }
    }

    var column: String { isDomain ? "id" : "owner" }

    var number: Int64 {
        switch self {
        case .domain(let number), .owner(let number): number
        }
    }
}
