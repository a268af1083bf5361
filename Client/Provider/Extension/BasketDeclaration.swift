/// What the extension declares beside its code, as its `Info.plist` would. What rules ask of items is what
/// `BasketItem.userInfo` says, and of the domain what `BasketExtension.userInfo` does.
enum BasketDeclaration {
    static let text = """
        {
            "NSExtensionFileProviderActions": [\(actions)],
            "NSFileProviderDecorations": [\(decorations)],
            "NSFileProviderUserInteractions": [\(interactions)]
        }
        """

    // MARK: Actions

    private static let actions = [
        action(.pin, "Keep on this device", some("pinned == NO")),
        action(.unpin, "Keep on this device no longer", some("pinned == YES")),
        action(.favorite, "Add to favourites", mayWrite + some("favorite == NO", isRoot: false)),
        action(.unfavorite, "Remove from favourites", mayWrite + some("favorite == YES")),
        action(
            .lock, "Mark as being edited",
            mayWrite + some("locked == NO OR $item.userInfo.lockedHere == NO", isRoot: false)),
        action(.unlock, "Mark as not being edited any more", some("lockedHere == YES", others)),
        action(.keepCurrent, "Keep only the present version", mayWrite + some("conflicts > 0")),
        action(.keepOther, "Keep only the version that lost", mayWrite + some("conflicts > 0")),
        action(.keepAll, "Keep all versions", mayWrite + some("conflicts > 0")),
        action(
            .restorePrevious, "Bring back the previous version",
            mayWrite + "fileproviderItems.@count == 1 AND "
                + some("conflicts == 0 AND $item.contentType UTI-CONFORMS-TO 'public.data'")),
    ].joined(separator: ", ")

    private static let mayWrite = "domainUserInfo.mayWrite == YES AND "
    /// What others have left behind is the owner's to break.
    private static let others =
        "(domainUserInfo.role == 'owner' AND $item.userInfo.locked == YES)"

    private static func action(_ action: ItemAction, _ name: String, _ rule: String) -> String {
        """
        {"NSExtensionFileProviderActionIdentifier": "\(action.rawValue)",
         "NSExtensionFileProviderActionName": "\(name)",
         "NSExtensionFileProviderActionActivationRule": "\(rule)"}
        """
    }

    /// Something of what is selected, and not in the trash, is so.
    private static func some(
        _ condition: String, _ other: String? = nil, isRoot: Bool = true
    ) -> String {
        let root = "$item.itemIdentifier != 'NSFileProviderRootContainerItemIdentifier' AND "
        let conditions = "$item.userInfo.\(condition)" + (other.map { " OR \($0)" } ?? "")
        return "SUBQUERY(fileproviderItems, $item, $item.userInfo.trashed == NULL AND "
            + (isRoot ? "" : root) + "(\(conditions))).@count > 0"
    }

    // MARK: Decorations

    private static let decorations = [
        decoration(
            .conflict, badge: "warning",
            label: format("Versions that wait for a decision: %@", "item.userInfo.conflicts")),
        decoration(
            .locked, badge: "locked-by-user",
            label: format(
                "Being edited by %@ on %@", "item.userInfo.lockedBy", "item.userInfo.lockedOn")),
        decoration(.pinned, badge: "pinned", label: "\"Kept on this device\""),
        decoration(.favorite, badge: "heart", label: "\"A favourite\""),
        """
        {"Identifier": "\(Decoration.shared.rawValue)", "Category": "Sharing",
         "Label": "Shared with others"}
        """,
    ].joined(separator: ", ")

    private static func decoration(
        _ decoration: Decoration, badge: String, label: String
    ) -> String {
        """
        {"Identifier": "\(decoration.rawValue)", "Category": "Badge",
         "BadgeImageType": "com.apple.icon-decoration.badge.\(badge)", "Label": \(label)}
        """
    }

    private static func format(_ format: String, _ values: String...) -> String {
        let list = values.map { "\"\($0)\"" }.joined(separator: ", ")
        return "{\"NSStringFormat\": \"\(format)\", \"NSStringFormatValues\": [\(list)]}"
    }

    // MARK: Interactions

    /// The first that holds is asked, and no other: what cannot be done at all comes first, then what could be lost.
    private static let interactions = [
        """
        {"ActivationRule": "domainUserInfo.mayWrite == NO AND action != 'CopyOut'",
         "Alert": {"LocalizedTitle": "You may change nothing here.",
            "LocalizedSubTitle": \(format("In “%@” you may only read.", "domainUserInfo.name")),
            "RecoveryOptions": {"Continue": false}}}
        """,
        interaction(
            "action IN {'Trash', 'Delete', 'MoveOut'} AND sourceItem.userInfo.lockedElsewhere == YES",
            isDestructive: true, suppression: "basket.locked",
            one: (
                format(
                    "“%@” is being edited by %@.", "firstMatchingItem.filename",
                    "firstMatchingItem.userInfo.lockedBy"),
                "What they have not saved yet may become a file of its own."
            ),
            many: (
                format("%@ of the items are being edited by others.", "matchingItemsCount"),
                "What they have not saved yet may become files of their own."
            )),
        interaction(
            "action IN {'Trash', 'Delete', 'MoveOut'} AND sourceItem.userInfo.conflicts > 0",
            isDestructive: true, suppression: "basket.conflict",
            one: (
                format(
                    "“%@” has versions that nobody has decided on.", "firstMatchingItem.filename"),
                "They go with it."
            ),
            many: (
                format(
                    "%@ of the items have versions that nobody has decided on.",
                    "matchingItemsCount"), "They go with the items."
            )),
        interaction(
            "action IN {'Delete', 'MoveOut'} AND domainUserInfo.shared == YES",
            isDestructive: true, suppression: "basket.shared.out",
            one: (
                format(
                    "“%@” will be gone for everybody.", "firstMatchingItem.filename"),
                "You share this place with others."
            ),
            many: (
                format("%@ items will be gone for everybody.", "matchingItemsCount"),
                "You share this place with others."
            )),
        interaction(
            "action IN {'MoveIn', 'CopyIn'} AND domainUserInfo.shared == YES",
            isDestructive: false, suppression: "basket.shared.in",
            one: (
                format("Others will see what you put into “%@”.", "destinationItem.filename"),
                "You share this place with them."
            ),
            many: (
                format(
                    "Others will see the %@ items that you put into “%@”.", "matchingItemsCount",
                    "destinationItem.filename"), "You share this place with them."
            )),
    ].joined(separator: ", ")

    private static func interaction(
        _ rule: String, isDestructive: Bool, suppression: String,
        one: (title: String, subtitle: String), many: (title: String, subtitle: String)
    ) -> String {
        func alert(_ words: (title: String, subtitle: String)) -> String {
            """
            {"LocalizedTitle": \(words.title), "LocalizedSubTitle": "\(words.subtitle)",
             "RecoveryOptions": {"Destructive": \(isDestructive)}}
            """
        }
        return """
            {"ActivationRule": "\(rule)", "SuppressionIdentifier": "\(suppression)",
             "SubInteractions": [
                {"ActivationRule": "sourceItemsCount > 1", "Alert": \(alert(many))}],
             "Alert": \(alert(one))}
            """
    }
}
