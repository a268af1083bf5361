/// What the system is to do about something that went wrong.
enum Reaction: Sendable, CaseIterable {
    /// Wait until somebody has logged in again.
    case logIn
    /// Wait until the server can be reached again.
    case waitForServer
    /// Wait until there is room on the server.
    case waitForRoom
    /// Give the item up until it changes: the server will never take it as it is.
    case giveUp
    /// Try again later.
    case tryAgain
    /// Take the item, or the one that it was to go into, for deleted.
    case forget
    /// Rename one of two items that want the same name.
    case rename
    /// Undo the deletion.
    case undelete
    /// Undo the deletion of a folder that has something in it.
    case undeleteFolder
    /// Enumerate everything again.
    case enumerateAgain
    /// Ask for a newer version.
    case takeNewerVersion
    /// Settle a conflict.
    case settleConflict
    /// Ask for this never again.
    case neverAsk

    /// The one table of what the server's refusals mean. Codes are added, never renamed: what is not here is
    /// newer than this client, or came from something between it and the server.
    static let byCode: [String: Reaction] = [
        "not_signed_in": .logIn,
        "wrong_credentials": .logIn,

        "busy": .waitForServer,
        "not_ready": .waitForServer,
        "stopping": .waitForServer,
        "upload_too_slow": .waitForServer,

        "disk_full": .waitForRoom,
        "insufficient_quota": .waitForRoom,

        "no_such_item": .forget,
        "name_taken": .rename,
        "deletion_rejected": .undelete,
        "folder_not_empty": .undeleteFolder,
        "anchor_expired": .enumerateAgain,
        "anchor_ahead": .enumerateAgain,
        "cursor_expired": .enumerateAgain,
        "version_not_available": .takeNewerVersion,
        "trash_disabled": .neverAsk,
        "stale_content": .settleConflict,

        // What the server will say again, however often it is asked.
        "bad_field": .giveUp,
        "bad_json": .giveUp,
        "bad_name": .giveUp,
        "bad_parameter": .giveUp,
        "body_too_large": .giveUp,
        "file_too_large": .giveUp,
        "forbidden": .giveUp,
        "headers_too_large": .giveUp,
        "manifest_chunk_too_long": .giveUp,
        "manifest_chunk_too_short": .giveUp,
        "manifest_too_many_chunks": .giveUp,
        "move_into_itself": .giveUp,
        "needs_device": .giveUp,
        "not_a_file": .giveUp,
        "not_a_folder": .giveUp,
        "permanent_item": .giveUp,
        "target_too_long": .giveUp,
        // Absence of a whole domain deletes nothing: it may come back, or be offered again.
        "no_such_domain": .giveUp,

        // What another attempt, with what is there by then, may get past.
        "body_incomplete": .tryAgain,
        "chunks_missing": .tryAgain,
        "hash_mismatch": .tryAgain,
        "idempotency_key_reused": .tryAgain,
        "internal_error": .tryAgain,
        "manifest_hash_mismatch": .tryAgain,
        "manifest_size_mismatch": .tryAgain,
        "no_content": .tryAgain,
        "not_in_trash": .tryAgain,
        "precondition_failed": .tryAgain,
        "range_not_satisfiable": .tryAgain,
        "simulated_error": .tryAgain,
        "stale_metadata": .tryAgain,
        "too_many_attempts": .tryAgain,
        "undone": .tryAgain,

        // What this client does not ask for, or answers by itself.
        "account_exists": .tryAgain,
        "account_owns_domains": .tryAgain,
        "domain_exists": .tryAgain,
        "empty_chunk": .tryAgain,
        "empty_picture": .tryAgain,
        "expectation_failed": .tryAgain,
        "last_administrator": .tryAgain,
        "malformed_request": .tryAgain,
        "manifest_size_negative": .tryAgain,
        "method_not_allowed": .tryAgain,
        "method_unknown": .tryAgain,
        "no_such_account": .tryAgain,
        "no_such_device": .tryAgain,
        "no_such_fault": .tryAgain,
        "no_such_member": .tryAgain,
        "no_such_route": .tryAgain,
        "no_thumbnail": .tryAgain,
        "not_a_picture": .tryAgain,
        "not_json": .tryAgain,
        "nothing_kept": .tryAgain,
        "owner_stays": .tryAgain,
        "too_long_for_batch": .tryAgain,
        "too_many_faults": .tryAgain,
        "trash_not_empty": .tryAgain,
        "unsupported_encoding": .tryAgain,
    ]
}
