import BasketAPI
import BasketConnection
import BasketContent
import BasketDatabase
import BasketModels
import BasketStore
import BasketSupport
import FileProvider
import Foundation
import Synchronization

// What it tells, and to whom.
extension ServerStorage {
    private var listeners: [String] {
        run.hasStrangers ? ["device0", "device1", "device3"] : ["device0"]
    }

    private static let mostListings = 8

    func oddities() async throws -> [String] {
        guard run.habits >= .third else { return [] }
        if isUp {
            try await listen()
            try lookAtPlaces()
            try questionWitness()
        }
        return state.withLock { state in
            defer { state.oddities = [] }
            return state.oddities
        }
    }

    /// Remembers what the feed tells by now.
    private func listen() async throws {
        guard state.withLock({ $0.listings.count }) < Self.mostListings else { return }
        let device = listeners[state.withLock { $0.listings.count } % listeners.count]
        let listing = try await follow(FeedListing(device: device), by: 500)
        state.withLock { $0.listings.append(listing) }
    }

    private func follow(_ listing: FeedListing, by limit: Int) async throws -> FeedListing {
        var listing = listing
        let connection = try await connection(for: listing.device)
        var hasMore = true
        while hasMore {
            let page = try await connection.changes(
                in: domainName(of: listing.device), since: listing.anchor, limit: limit)
            listing.take(page)
            hasMore = page.more
        }
        return listing
    }

    /// One item, one place.
    private func lookAtPlaces() throws {
        for (name, tree) in try trees() {
            for path in tree.keys.sorted()
            where path.hasPrefix("nowhere") || path.contains("(once more") {
                note(oddity: "\(path) of \(name) has no place of its own")
            }
        }
    }

    func tidingsGoneWrong() async throws -> [String] {
        guard run.habits >= .third else { return [] }
        var problems: [String] = []
        for device in listeners {
            let all = try await follow(FeedListing(device: device), by: 500)
            problems += all.disorder
            problems += try await compare(all, with: device)
            problems += try await fetch(all, for: device)
        }
        for before in state.withLock({ $0.listings }) {
            do {
                var listing = try await follow(before, by: 3)
                problems += listing.disorder
                listing.disorder = []
                problems += try await compare(listing, with: listing.device)
            } catch let error as ConnectionError where error.code == "anchor_expired" {
                // What was deleted since then is forgotten, and said to be.
                continue
            }
        }
        if run.hasStrangers { problems += try await lookAsStranger() }
        return problems
    }

    private func compare(
        _ listing: FeedListing, with device: String
    ) async throws -> [String] {
        let details = try details(for: device)
        var problems: [String] = []
        let there = Set(details.values.map(\.identifier))
        let told = Set(listing.places.keys).subtracting(["root", "trash"])
        for item in there.subtracting(told).sorted() {
            problems.append("the feed never tells \(device) of \(item)")
        }
        for item in told.subtracting(there).sorted() {
            problems.append("the feed never tells \(device) that \(item) is gone")
        }
        let connection = try await connection(for: device)
        for (item, place) in listing.places.sorted(by: { $0.key < $1.key })
        where there.contains(item) {
            let info = try await connection.item(item, in: domainName(of: device))
            let present = FeedListing.Place(
                parent: info.parent, name: info.name, kind: info.kind,
                content: info.contentVersion, metadata: info.metadataVersion)
            if place != present {
                problems.append("the feed tells \(device) of \(place), and there is \(present)")
            }
        }
        return problems
    }

    /// What is told of can be had.
    private func fetch(_ listing: FeedListing, for device: String) async throws -> [String] {
        let connection = try await connection(for: device)
        var problems: [String] = []
        for (item, place) in listing.places.sorted(by: { $0.key < $1.key })
        where place.kind == .file {
            do {
                _ = try await connection.receiveContent(
                    of: item, in: domainName(of: device), version: place.content
                ) { _, _ in }
            } catch {
                problems.append("\(place.name) cannot be fetched: \(error)")
            }
        }
        return problems
    }
}
