import BasketContent
import Foundation

/// The part of a content that is fetched so that the part asked for is there.
struct AlignedRange: Equatable {
    let bytes: Range<Int64>
    private let unit: Int64

    /// Nil for what is no range, or an alignment that is none.
    init?(covering range: NSRange, alignment: Int) {
        guard range.location >= 0, range.length > 0, alignment > 0 else { return nil }
        unit = Int64(alignment)
        let (end, isTooFar) = Int64(range.location).addingReportingOverflow(Int64(range.length))
        guard !isTooFar else { return nil }
        let start = Int64(range.location) / unit * unit
        let (padded, isTooFarNow) = end.addingReportingOverflow(unit - 1)
        // Whatever the end is, nothing lies behind it.
        bytes = start..<(isTooFarNow ? end : padded / unit * unit)
    }

    /// What there is of it in a content of that size.
    func within(_ size: Int64) -> NSRange {
        let end = min(bytes.upperBound, size)
        return NSRange(location: Int(bytes.lowerBound), length: Int(max(0, end - bytes.lowerBound)))
    }

    /// Whether these are the chunks in which it lies, in their content, and no others.
    func isCovered(by run: ChunkRun) -> Bool {
        let end = min(bytes.upperBound, run.size)
        guard let first = run.chunks.first, let last = run.chunks.last else { return false }
        return run.start <= bytes.lowerBound && run.start + Int64(first.length) > bytes.lowerBound
            && run.bytes.upperBound >= end && run.bytes.upperBound - Int64(last.length) < end
    }

    /// What is whole units of these chunks, or ends with the content.
    func widened(to run: ChunkRun) -> NSRange {
        let over = run.start % unit
        let start = over == 0 ? run.start : run.start - over + unit
        let end =
            run.bytes.upperBound == run.size ? run.size : run.bytes.upperBound / unit * unit
        return NSRange(location: Int(start), length: Int(end - start))
    }
}
