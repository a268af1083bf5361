/// Guesses what a mistyped word was meant to be.
enum Spelling {
    /// Longer words are not compared: the table of distances grows with the square.
    private static let longest = 64

    /// The nearest of the candidates, when it is near enough to be worth saying.
    static func nearest(to word: String, in candidates: [String]) -> String? {
        guard word.count <= longest else { return nil }
        let near = candidates.map { ($0, distance(word, $0)) }.filter { candidate, distance in
            distance <= max(1, min(word.count, candidate.count) / 3)
        }
        return near.min { $0.1 < $1.1 }?.0
    }

    /// How many letters to add, drop, replace or swap with their neighbour.
    static func distance(_ left: String, _ right: String) -> Int {
        let left = Array(left)
        let right = Array(right)
        var older: [Int] = []
        var previous = Array(0...right.count)
        for row in 0..<left.count {
            var current = [row + 1]
            for column in 0..<right.count {
                let same = left[row] == right[column]
                var best = min(
                    previous[column] + (same ? 0 : 1), previous[column + 1] + 1,
                    current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1],
                    left[row - 1] == right[column]
                {
                    best = min(best, older[column - 1] + 1)
                }
                current.append(best)
            }
            older = previous
            previous = current
        }
        return previous[right.count]
    }
}
