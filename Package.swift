// swift-tools-version: 6.2
import PackageDescription

/// Every target is held to the same bar: a warning is a failure.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

/// Targets that hold no pointer. Only those that wrap C go without.
let safe = strict + [.strictMemorySafety()]

/// A door to a C library that Debian ships, found through pkg-config.
func library(_ name: String, _ pkgConfig: String, apt: String) -> Target {
    .systemLibrary(
        name: name, path: "Sources/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt])])
}

/// A module of the house: its folder says which side it belongs to, `uses` says what it may import.
func module(
    _ name: String, _ path: String, uses: [Target.Dependency], settings: [SwiftSetting] = safe,
    linking: [LinkerSetting] = []
) -> Target {
    .target(
        name: name, dependencies: uses, path: path, swiftSettings: settings,
        linkerSettings: linking)
}

/// Functions of ours that C libraries call in place of those that they name.
func shown(_ functions: [String]) -> LinkerSetting {
    .unsafeFlags(functions.flatMap { ["-Xlinker", "--export-dynamic-symbol=\($0)"] })
}

/// Tests are tried against optimised modules, and are most of what there is to compile: they wait for others, and need no
/// speed of their own. Only where they compute much themselves they are optimised, too.
let plain = strict + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

/// The tests of one module, in a folder of the same name.
func tests(
    _ name: String, uses: [Target.Dependency], settings: [SwiftSetting] = plain
) -> Target {
    .testTarget(name: name, dependencies: uses, path: "Tests/\(name)", swiftSettings: settings)
}

let package = Package(
    name: "Basket",
    products: [
        .executable(name: "basket-server", targets: ["basket-server"]),
        .executable(name: "basket", targets: ["basket"]),
    ],
    targets: [
        // Doors to C.
        library("CSQLite", "sqlite3", apt: "libsqlite3-dev"),
        library("COpenSSL", "openssl", apt: "libssl-dev"),
        library("CZlib", "zlib", apt: "zlib1g-dev"),
        library("CCurl", "libcurl", apt: "libcurl4-openssl-dev"),
        library("CFuse", "fuse3", apt: "libfuse3-dev"),
        library("CMicroHTTPD", "libmicrohttpd", apt: "libmicrohttpd-dev"),
        library("CAvahi", "avahi-client", apt: "libavahi-client-dev"),
        library("CDBus", "dbus-1", apt: "libdbus-1-dev"),
        .target(name: "CLinux", path: "Sources/CLinux"),

        // What both sides speak.
        module("BasketSupport", "Shared/Support", uses: ["CLinux"], settings: strict),
        module("BasketModels", "Shared/Models", uses: ["BasketContent", "BasketSupport"]),
        module(
            "BasketDatabase", "Shared/Database", uses: ["CSQLite", "BasketSupport"],
            settings: strict),
        module(
            "BasketContent", "Shared/Content", uses: ["COpenSSL", "BasketSupport"], settings: strict
        ),
        module(
            "BasketDiscovery", "Shared/Discovery", uses: ["CAvahi", "BasketSupport"],
            settings: strict),

        // The server.
        module(
            "BasketHTTP", "Server/HTTP",
            uses: ["CMicroHTTPD", "CZlib", "COpenSSL", "CLinux", "BasketSupport"],
            settings: strict, linking: [shown(["MHD_queue_response", "epoll_wait"])]),
        module(
            "BasketStore", "Server/Store",
            uses: ["BasketDatabase", "BasketContent", "BasketModels", "BasketSupport"]),
        module("BasketBlobs", "Server/Blobs", uses: ["BasketContent", "BasketSupport"]),
        module(
            "BasketAPI", "Server/API",
            uses: [
                "BasketStore", "BasketBlobs", "BasketHTTP", "BasketModels", "BasketDatabase",
                "BasketContent", "BasketSupport",
            ]),
        module(
            "BasketUpkeep", "Server/Upkeep",
            uses: [
                "BasketStore", "BasketBlobs", "BasketModels", "BasketDatabase", "BasketContent",
                "BasketSupport",
            ]),
        .executableTarget(
            name: "basket-server",
            dependencies: [
                "BasketAPI", "BasketUpkeep", "BasketStore", "BasketBlobs", "BasketHTTP",
                "BasketModels",
                "BasketContent", "BasketDatabase", "BasketDiscovery", "BasketSupport", "CLinux",
            ],
            path: "Sources/basket-server", swiftSettings: strict),

        // The client.
        module("UniformTypeIdentifiers", "Client/UniformTypeIdentifiers", uses: []),
        module("FileProvider", "Client/FileProvider", uses: ["UniformTypeIdentifiers"]),
        module(
            "BasketConnection", "Client/Connection",
            uses: ["CCurl", "COpenSSL", "BasketModels", "BasketContent", "BasketSupport"],
            settings: strict),

        module(
            "BasketBus", "Client/Bus", uses: ["CDBus", "BasketSupport"], settings: strict),
        module(
            "BasketProvider", "Client/Provider",
            uses: [
                "BasketBus", "BasketConnection", "FileProvider", "UniformTypeIdentifiers",
                "BasketModels", "BasketContent", "BasketSupport",
            ], settings: strict),

        module("FileProviderRules", "Client/Rules", uses: ["BasketSupport"]),
        module(
            "FileProviderReplica", "Client/Replica",
            uses: ["FileProvider", "BasketDatabase", "BasketContent", "BasketSupport"],
            settings: strict),
        module(
            "FileProviderHost", "Client/Host",
            uses: [
                "FileProviderReplica", "FileProviderRules", "FileProvider",
                "UniformTypeIdentifiers", "BasketDatabase",
                "BasketContent", "BasketSupport",
            ], settings: strict),

        module(
            "FileProviderMount", "Client/Mount",
            uses: [
                "CFuse", "CLinux", "FileProviderHost", "FileProviderReplica", "FileProvider",
                "BasketDatabase", "BasketSupport",
            ], settings: strict),

        module(
            "FileProviderDaemon", "Client/Daemon",
            uses: [
                "CLinux", "BasketBus", "FileProviderMount", "FileProviderHost",
                "FileProviderReplica",
                "FileProvider", "BasketDatabase", "BasketSupport",
            ], settings: strict),
        module(
            "BasketDoctor", "Client/Doctor",
            uses: [
                "FileProviderDaemon", "FileProviderHost", "BasketProvider", "BasketConnection",
                "BasketModels", "BasketSupport",
            ], settings: strict),
        .executableTarget(
            name: "basket",
            dependencies: [
                "BasketDoctor", "FileProviderDaemon", "FileProviderHost", "FileProvider",
                "BasketProvider",
                "BasketConnection", "BasketModels", "BasketContent", "BasketDiscovery",
                "BasketSupport",
            ],
            path: "Sources/basket", swiftSettings: strict),

        // What the client's benchmarks start: a program that hosts the extension, and is shipped to nobody.
        .executableTarget(
            name: "basket-bench-host",
            dependencies: [
                "FileProviderHost", "FileProviderReplica", "FileProvider", "BasketProvider",
                "BasketConnection", "BasketModels", "BasketDatabase", "BasketSupport",
            ],
            path: "Benchmarks/host/program", swiftSettings: strict),

        // Tests: one folder for each module.
        tests("SupportTests", uses: ["BasketSupport"]),
        tests("ModelsTests", uses: ["BasketModels", "BasketContent", "BasketSupport"]),
        tests("DatabaseTests", uses: ["BasketDatabase", "BasketSupport"]),
        tests("ContentTests", uses: ["BasketContent", "BasketSupport"]),
        tests("DiscoveryTests", uses: ["BasketDiscovery", "BasketSupport"]),
        tests("BusTests", uses: ["BasketBus", "BasketSupport", "TestSupport"]),
        tests("HTTPTests", uses: ["BasketHTTP", "BasketSupport", "CZlib", "TestSupport"]),
        tests("BlobsTests", uses: ["BasketBlobs", "BasketContent", "BasketSupport"]),
        tests(
            "StoreTests",
            uses: [
                "BasketStore", "BasketDatabase", "BasketContent", "BasketModels", "BasketSupport",
            ], settings: strict),
        tests(
            "UpkeepTests",
            uses: [
                "BasketUpkeep", "BasketStore", "BasketBlobs", "BasketDatabase", "BasketContent",
                "BasketModels", "BasketSupport",
            ]),
        tests(
            "APITests",
            uses: [
                "BasketAPI", "BasketStore", "BasketBlobs", "BasketHTTP", "BasketModels",
                "BasketDatabase", "BasketContent", "BasketSupport",
            ]),

        tests("UniformTypeIdentifiersTests", uses: ["UniformTypeIdentifiers"]),
        // As the source of an extension is compiled elsewhere, without our upcoming features: its
        // extensions are to compile as they stand.
        .testTarget(
            name: "FileProviderTests", dependencies: ["FileProvider", "UniformTypeIdentifiers"],
            path: "Tests/FileProviderTests", swiftSettings: [.treatAllWarnings(as: .error)]),
        tests("RulesTests", uses: ["FileProviderRules", "BasketSupport"]),
        // An extension as it comes from macOS: in Swift 5, and importing nothing but the API.
        .testTarget(
            name: "PortingTests", dependencies: ["FileProvider"], path: "Tests/PortingTests",
            swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]),
        tests(
            "HostTests",
            uses: [
                "FileProviderHost", "FileProviderReplica", "FileProvider", "UniformTypeIdentifiers",
                "BasketDatabase", "BasketContent", "BasketSupport", "FolderProvider", "TestSupport",
            ]),
        // On real mounts.
        tests(
            "MountTests",
            uses: [
                "FileProviderMount", "FileProviderHost", "FileProviderReplica", "FileProvider",
                "BasketDatabase", "BasketSupport", "FolderProvider",
            ]),
        tests(
            "DaemonTests",
            uses: [
                "FileProviderDaemon", "FileProviderHost", "FileProviderMount",
                "FileProviderReplica", "FileProvider", "BasketSupport",
            ]),
        tests(
            "DoctorTests",
            uses: [
                "BasketDoctor", "FileProviderDaemon", "BasketProvider", "BasketConnection",
                "BasketModels", "BasketSupport",
            ]),
        // Devices, providers, people and networks in one process, by a virtual clock.
        .testTarget(
            name: "SimulationTests",
            dependencies: [
                "FileProviderHost", "FileProviderReplica", "FileProvider", "UniformTypeIdentifiers",
                "BasketProvider", "BasketConnection", "BasketAPI", "BasketUpkeep", "BasketStore",
                "BasketBlobs", "BasketHTTP", "BasketModels", "BasketDatabase", "BasketContent",
                "BasketSupport",
            ], path: "Tests/Simulation", swiftSettings: strict),
        // The client's calls against the server's API, both in one process.
        tests(
            "ConnectionTests",
            uses: [
                "BasketConnection", "BasketAPI", "BasketStore", "BasketBlobs", "BasketHTTP",
                "BasketModels", "BasketDatabase", "BasketContent", "BasketSupport", "TestSupport",
            ]),

        // The extension against the server, both in one process.
        tests(
            "ProviderTests",
            uses: [
                "BasketProvider", "BasketConnection", "FileProvider", "UniformTypeIdentifiers",
                "BasketAPI", "BasketStore", "BasketBlobs", "BasketHTTP", "BasketModels",
                "BasketDatabase", "BasketContent", "BasketSupport", "TestSupport",
            ]),

        // The real program, over real sockets, on a real disk.
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "BasketContent", "BasketDatabase", "BasketSupport", "CLinux", "TestSupport",
            ],
            path: "Tests/EndToEnd", exclude: ["Walk"], swiftSettings: plain),

        // A provider that serves a folder of the local disk, and knows no server.
        .target(
            name: "FolderProvider",
            dependencies: ["FileProvider", "UniformTypeIdentifiers", "BasketSupport"],
            path: "Tests/FolderProvider", swiftSettings: strict),

        // A client that sends exactly the bytes it is told to, for tests of what is said on the wire.
        .target(
            name: "TestSupport", dependencies: ["CDBus", "BasketBus", "BasketSupport"],
            path: "Tests/Support", swiftSettings: strict),

        // What the fuzzers run, and the tests that feed it what they found before.
        .target(
            name: "Fuzzers",
            dependencies: [
                "BasketAPI", "BasketStore", "BasketHTTP", "BasketProvider", "BasketConnection",
                "FileProviderHost", "FileProviderRules", "FileProvider", "BasketModels",
                "BasketDatabase", "BasketContent", "BasketDiscovery", "BasketSupport",
            ],
            path: "Tests/Fuzz", exclude: ["Corpus"], swiftSettings: strict),
        tests("FuzzTests", uses: ["Fuzzers", "BasketSupport"]),
    ],
    swiftLanguageModes: [.v6]
)

// Only some tests, and what these use: `BASKET_TESTS="StoreTests HTTPTests" swift build --build-tests`. What the sanitizers
// run takes half as long to build so.
if let names = Context.environment["BASKET_TESTS"] {
    var needed = Set(names.split(whereSeparator: \.isWhitespace).map(String.init))
    let known = Set(package.targets.map(\.name))
    precondition(needed.isSubset(of: known), "no targets: \(needed.subtracting(known).sorted())")
    var count = 0
    while needed.count > count {
        count = needed.count
        for target in package.targets where needed.contains(target.name) {
            for case .byNameItem(let name, _) in target.dependencies { needed.insert(name) }
        }
    }
    package.targets.removeAll { !needed.contains($0.name) }
    package.products = []
}
