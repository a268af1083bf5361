import BasketBlobs
import BasketSupport

/// Commands meet large contents that they cannot read or write, and say so in the store's own words.
extension BlobError: ReportableError {}
