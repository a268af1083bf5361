#pragma once
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

// Gathers what the writer's connection writes to its log. SQLite writes each page in two pieces, and a
// commit has dozens of pages: together they are one write. They go out before the log is synced, which is
// before anybody else hears of them, and before it is read, measured or cut.

// SQLite's own writing to files takes less than 128 KiB at a time.
enum { basket_log_capacity = 124 << 10 };

typedef struct {
    // First, so that a file's methods are the way to what is kept for it.
    sqlite3_io_methods methods;
    const sqlite3_io_methods *inner;
    // Whether commits are answered before they are on the disk.
    int is_late;
    // The log has begun anew. Until that is on the disk, what was in it before could be taken for what is.
    int has_begun;
    // What was written since the log was last synced: from where to where. And whether a sync has failed since then.
    sqlite3_int64 unsynced_start;
    sqlite3_int64 unsynced_end;
    int has_failed;
    // How often the log has been synced.
    unsigned syncs;
    sqlite3_int64 start;
    int length;
    unsigned char bytes[basket_log_capacity];
} basket_log;

static inline void basket_log_note(basket_log *log, sqlite3_int64 start, int length) {
    if (log->unsynced_end == log->unsynced_start) {
        log->unsynced_start = start;
        log->unsynced_end = start + length;
    } else {
        if (start < log->unsynced_start) log->unsynced_start = start;
        if (start + length > log->unsynced_end) log->unsynced_end = start + length;
    }
}

static inline int basket_log_send(sqlite3_file *file) {
    basket_log *log = (basket_log *)file->pMethods;
    int length = log->length;
    // What cannot be written is forgotten: whoever is told undoes it.
    log->length = 0;
    if (!length) return SQLITE_OK;
    basket_log_note(log, log->start, length);
    return log->inner->xWrite(file, log->bytes, length, log->start);
}

// The system takes pages that it could not write for written, and says so once: what earlier commits were told to be
// written would be a hole in the log, before all that come later. So it is written once more.
static inline int basket_log_write_again(sqlite3_file *file) {
    basket_log *log = (basket_log *)file->pMethods;
    unsigned char piece[4096];
    sqlite3_int64 position = log->unsynced_start;
    sqlite3_int64 size = 0;
    int status = log->inner->xFileSize(file, &size);
    if (status != SQLITE_OK) return status;
    sqlite3_int64 end = log->unsynced_end < size ? log->unsynced_end : size;
    while (position < end) {
        int count = end - position < (sqlite3_int64)sizeof piece ? (int)(end - position) : (int)sizeof piece;
        status = log->inner->xRead(file, piece, count, position);
        if (status == SQLITE_OK) status = log->inner->xWrite(file, piece, count, position);
        if (status != SQLITE_OK) return status;
        position += count;
    }
    return SQLITE_OK;
}

static inline int basket_log_write(sqlite3_file *file, const void *data, int amount, sqlite3_int64 offset) {
    basket_log *log = (basket_log *)file->pMethods;
    if (offset == 0) log->has_begun = 1;
    if (log->length && (offset != log->start + log->length || log->length + amount > basket_log_capacity)) {
        int status = basket_log_send(file);
        if (status != SQLITE_OK) return status;
    }
    if (amount > basket_log_capacity) {
        basket_log_note(log, offset, amount);
        return log->inner->xWrite(file, data, amount, offset);
    }
    if (!log->length) log->start = offset;
    memcpy(log->bytes + log->length, data, (size_t)amount);
    log->length += amount;
    return SQLITE_OK;
}

static inline int basket_log_read(sqlite3_file *file, void *data, int amount, sqlite3_int64 offset) {
    int status = basket_log_send(file);
    return status == SQLITE_OK ? ((basket_log *)file->pMethods)->inner->xRead(file, data, amount, offset) : status;
}

static inline int basket_log_truncate(sqlite3_file *file, sqlite3_int64 size) {
    int status = basket_log_send(file);
    return status == SQLITE_OK ? ((basket_log *)file->pMethods)->inner->xTruncate(file, size) : status;
}

static inline int basket_log_sync(sqlite3_file *file, int flags) {
    basket_log *log = (basket_log *)file->pMethods;
    int status = basket_log_send(file);
    if (status == SQLITE_OK && log->has_failed) status = basket_log_write_again(file);
    if (status != SQLITE_OK) return status;
    if (log->is_late && !log->has_begun && !log->has_failed) return SQLITE_OK;
    status = log->inner->xSync(file, flags);
    log->has_failed = status != SQLITE_OK;
    if (status != SQLITE_OK) return status;
    log->has_begun = 0;
    log->unsynced_start = log->unsynced_end = 0;
    log->syncs++;
    return SQLITE_OK;
}

static inline int basket_log_size(sqlite3_file *file, sqlite3_int64 *size) {
    int status = basket_log_send(file);
    return status == SQLITE_OK ? ((basket_log *)file->pMethods)->inner->xFileSize(file, size) : status;
}

static inline int basket_log_close(sqlite3_file *file) {
    basket_log *log = (basket_log *)file->pMethods;
    int status = basket_log_send(file);
    file->pMethods = log->inner;
    free(log);
    int closed = file->pMethods->xClose(file);
    return status == SQLITE_OK ? closed : status;
}

// Forgets what was not sent: for a transaction that is undone as a whole. Later, it would be written over
// what another process has committed there.
static inline void basket_sqlite_forget_log(sqlite3 *db) {
    sqlite3_file *file = 0;
    int status = sqlite3_file_control(db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file);
    if (status != SQLITE_OK || !file || !file->pMethods || file->pMethods->xClose != basket_log_close) return;
    ((basket_log *)file->pMethods)->length = 0;
}

// Has commits answered once they are written, or not before they are on the disk with all that came before. The log is
// synced in any case before anything of it is moved into the file. 1 where they are answered early from now on.
static inline int basket_sqlite_answer_early(sqlite3 *db, int is_early) {
    sqlite3_file *file = 0;
    int status = sqlite3_file_control(db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file);
    if (status != SQLITE_OK || !file || !file->pMethods || file->pMethods->xClose != basket_log_close) return 0;
    ((basket_log *)file->pMethods)->is_late = is_early;
    return is_early;
}

// How often the log has been on the disk as a whole; 0 for one that is not gathered.
static inline unsigned basket_sqlite_log_syncs(sqlite3 *db) {
    sqlite3_file *file = 0;
    int status = sqlite3_file_control(db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file);
    if (status != SQLITE_OK || !file || !file->pMethods || file->pMethods->xClose != basket_log_close) return 0;
    return ((basket_log *)file->pMethods)->syncs;
}

// Has what was committed before on the disk, where the last commits were answered early and no further one comes that
// writes anything. That takes no room. Between two transactions: what is gathered of one belongs to that.
static inline int basket_sqlite_sync_log(sqlite3 *db) {
    sqlite3_file *file = 0;
    int status = sqlite3_file_control(db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file);
    if (status != SQLITE_OK || !file || !file->pMethods) return status;
    return file->pMethods->xSync(file, SQLITE_SYNC_NORMAL);
}

// The log of a connection that syncs at each commit. Without memory for it, nothing is gathered.
static inline void basket_sqlite_gather_log(sqlite3 *db) {
    sqlite3_file *file = 0;
    int status = sqlite3_file_control(db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file);
    if (status != SQLITE_OK || !file || !file->pMethods || file->pMethods->xClose == basket_log_close) return;
    basket_log *log = malloc(sizeof *log);
    if (!log) return;
    log->methods = *file->pMethods;
    log->inner = file->pMethods;
    log->length = 0;
    log->is_late = 0;
    log->has_begun = 1;
    log->has_failed = 0;
    log->syncs = 0;
    log->unsynced_start = log->unsynced_end = 0;
    log->methods.xClose = basket_log_close;
    log->methods.xRead = basket_log_read;
    log->methods.xWrite = basket_log_write;
    log->methods.xTruncate = basket_log_truncate;
    log->methods.xSync = basket_log_sync;
    log->methods.xFileSize = basket_log_size;
    file->pMethods = &log->methods;
}
