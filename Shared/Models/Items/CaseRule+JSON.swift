import BasketSupport

extension CaseRule: DecodableWord {}
