import BasketModels
import BasketSupport

/// `--quota SIZE`, which several commands take.
enum QuotaOption {
    /// Nothing when it was not given; `none` takes a limit away.
    static func change(_ invocation: Invocation) throws -> FieldChange<Int64> {
        guard let text = invocation.value("quota") else { return .keep }
        if text == "none" { return .clear }
        do {
            return .set(try ByteCount.read(text).bytes)
        } catch {
            throw CommandFailure(
                "bad_quota", "‘\(text)’ is no size.\nWrite it like 50GiB, or none.",
                exitCode: .usage)
        }
    }
}
