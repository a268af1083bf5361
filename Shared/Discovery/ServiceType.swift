/// What Basket's servers are called among the services of a network, and where they are looked for.
enum ServiceType {
    static let server = "_basket._tcp"
    /// Multicast alone: what a wider network says of services is another matter, and not asked for.
    static let domain = "local"
}
