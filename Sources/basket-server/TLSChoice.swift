import BasketSupport

/// Whether the server speaks TLS.
enum TLSChoice: String, SettingChoice {
    /// On every address but those that only this machine reaches.
    case auto
    case always
}
