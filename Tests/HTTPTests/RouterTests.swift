import BasketHTTP
import Testing

@Suite("A router")
struct RouterTests {
    private static let router = Router<String>([
        Route(.get, "/v1/server", "server"),
        Route(.get, "/v1/domains", "domains"),
        Route(.post, "/v1/domains", "new domain"),
        Route(.get, "/v1/domains/{domain}", "domain"),
        Route(.get, "/v1/domains/{domain}/items/{item}", "item"),
        Route(.patch, "/v1/domains/{domain}/items/{item}", "change item"),
        Route(.get, "/v1/domains/{domain}/items/root", "root"),
        Route(.get, "/v1/domains/{domain}/items/{item}/children", "children"),
        Route(.get, "/v1/domains/{domain}/files/{path...}", "file"),
        Route(.put, "/v1/domains/{domain}/files/{path...}", "put file"),
        Route(.get, "/", "home"),
    ])

    private static func outcome(_ method: HTTPMethod, _ path: String) -> String {
        let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        switch router.match(method, segments.map(String.init)) {
        case .found(let route, let captures):
            let values = captures.values.map { "\($0.name)=\($0.value)" } + captures.rest
            return ([route.target] + values).joined(separator: " ")
        case .methodNotAllowed(let allowed):
            return "allow " + allowed.map(\.rawValue).joined(separator: ",")
        case .notFound: return "404"
        }
    }

    @Test(
        "finds the most exact route, and says what a path takes or that it is not there",
        arguments: [
            (.get, "/", "home"),
            (.get, "/v1/server", "server"),
            (.get, "/v1/domains/Work", "domain domain=Work"),
            (.get, "/v1/domains/Work/items/7", "item domain=Work item=7"),
            (.get, "/v1/domains/Work/items/root", "root domain=Work"),
            (.get, "/v1/domains/Work/items/root/children", "children domain=Work item=root"),
            (.patch, "/v1/domains/Work/items/root", "change item domain=Work item=root"),
            (.get, "/v1/domains/Work/files/a/b/c", "file domain=Work a b c"),
            (.put, "/v1/domains/Work/files/a/", "put file domain=Work a "),
            (.get, "/v1/domains/Work/files/", "file domain=Work "),
            (.head, "/v1/domains/Work/items/7", "item domain=Work item=7"),
            (.delete, "/v1/domains/Work/items/7", "allow GET,HEAD,PATCH"),
            (.delete, "/v1/domains/Work/items/root", "allow GET,HEAD,PATCH"),
            (.options, "/v1/domains", "allow GET,HEAD,POST"),
            (.get, "/v1/domains/Work/files", "404"),
            (.get, "/v1/domains/", "404"),
            (.get, "/v1/domains//items/7", "404"),
            (.get, "/v1/server/", "404"),
            (.get, "/v1", "404"),
            (.get, "/V1/server", "404"),
        ] as [(HTTPMethod, String, String)])
    func finds(method: HTTPMethod, path: String, outcome: String) {
        #expect(Self.outcome(method, path) == outcome)
    }

    @Test("leads each of its own patterns to its own route", arguments: router.routes.map(\.target))
    func unambiguous(target: String) throws {
        let route = try #require(Self.router.routes.first { $0.target == target })
        let path = route.pattern.description.dropFirst().split(
            separator: "/", omittingEmptySubsequences: false)
        guard case .found(let found, _) = Self.router.match(route.method, path.map(String.init))
        else {
            Issue.record("nothing answers \(route.pattern)")
            return
        }
        #expect(found.target == target)
    }

    @Test("knows the target of OPTIONS * as no path")
    func asterisk() {
        if case .found = Self.router.match(.options, []) { Issue.record("found a route") }
    }
}
