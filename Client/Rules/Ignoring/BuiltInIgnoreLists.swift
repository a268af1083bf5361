import BasketSupport

/// What programs leave beside people's files for a moment, or for one machine. It costs a line here
/// when another device should never see it, and nobody would name a file of theirs like that.
///
/// What looks like a file that somebody wants is not here, though programs use it too: `*.tmp`,
/// `*.partial`, the `name.XXXXXX` that KDE and Qt write before a rename, the `.name.XXXXXX` of
/// rsync, which `.bashrc.backup` looks like. They are synchronised for the moment that they exist;
/// losing what somebody took for saved would be worse.
struct BuiltInIgnoreLists: Sendable {
    let files: IgnoreList
    let folders: IgnoreList

    static func of(_ caseRule: CaseRule) -> BuiltInIgnoreLists {
        caseRule == .posix ? posix : portable
    }

    private static let posix = BuiltInIgnoreLists(.posix)
    private static let portable = BuiltInIgnoreLists(.portable)

    private init(_ caseRule: CaseRule) {
        files = IgnoreList(patterns: Self.filePatterns, caseRule: caseRule)
        folders = IgnoreList(patterns: Self.folderPatterns, caseRule: caseRule)
    }

    static let filePatterns = """
        # Vim: swap files, and the one that tells it whether a folder can be written
        .*.sw[a-p]
        .sw[a-p]
        4913
        # Emacs: what it saves by itself, and its locks
        \\#*\\#
        .\\#*
        # Backups of many editors
        *~
        # KDE's editors
        .*.kate-swp
        # GLib, and so GNOME, before the rename
        .goutputstream-??????
        # LibreOffice's and Office's locks, and Office's files in the making
        .~lock.*\\#
        ~$*
        ~*.tmp
        # macOS: how a folder is shown, attributes where they cannot be kept
        .DS_Store
        ._*
        .apdisk
        # Windows: pictures of pictures, how a folder is shown
        [Tt]humbs.db
        ehthumbs.db
        [Dd]esktop.ini
        # Deleted while somebody had them open: below a mount, and below NFS
        .fuse_hidden*
        .nfs[0-9a-f][0-9a-f][0-9a-f][0-9a-f]*
        # Half a download: Chrome, Firefox and KDE, Opera, WinSCP. The whole one gets another name.
        *.crdownload
        *.part
        *.opdownload
        *.filepart
        """

    static let folderPatterns = """
        # The trash of desktops, which is this device's own
        .Trash-*
        # rsync --delay-updates
        .~tmp~
        # What systems keep on disks
        .Spotlight-V100
        .Trashes
        .fseventsd
        .TemporaryItems
        .DocumentRevisions-V100
        $RECYCLE.BIN
        System Volume Information
        """
}
