/// A name that this device has asked the provider for, as names are compared there.
struct AskedName: Hashable {
    let folder: NodeID
    let key: [UInt8]
}
