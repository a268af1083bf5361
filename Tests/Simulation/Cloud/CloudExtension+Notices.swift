import FileProvider

extension CloudExtension {
    func materializedItemsDidChange() async {
        network.note(told: "materialised")
    }

    func pendingItemsDidChange() async {
        network.note(told: "pending")
    }
}
