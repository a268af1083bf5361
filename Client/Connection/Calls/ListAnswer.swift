/// A part of a list that comes in parts.
protocol ListAnswer: Decodable {
    associatedtype Entry

    var entries: [Entry] { get }
    /// The cursor of the next part; nil on the last one.
    var next: String? { get }
}
