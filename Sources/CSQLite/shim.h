#pragma once
#include <sqlite3.h>
#include "log.h"

// sqlite3_config is variadic, which Swift can't call. Memory statistics take a global lock on
// every allocation; nobody reads them here.
static inline int basket_sqlite_without_memory_statistics(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

// SQLITE_TRANSIENT is a casting macro, which Swift can't import: SQLite copies what is bound.
static inline int basket_sqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, int bytes) {
    return sqlite3_bind_text(statement, index, text, bytes, SQLITE_TRANSIENT);
}
static inline int basket_sqlite_bind_blob(sqlite3_stmt *statement, int index, const void *data, int bytes) {
    return sqlite3_bind_blob(statement, index, data, bytes, SQLITE_TRANSIENT);
}

// sqlite3_db_config is variadic: the defensive flag keeps SQL from writing to shadow tables.
static inline int basket_sqlite_defensive(sqlite3 *db) {
    return sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
}

// Called after each commit: notes how many pages the log holds. Takes the place of SQLite's own hook,
// which moves them into the file.
static inline int basket_sqlite_note_log(void *length, sqlite3 *db, const char *name, int pages) {
    (void)db;
    (void)name;
    *(int *)length = pages;
    return SQLITE_OK;
}
static inline void basket_sqlite_count_log(sqlite3 *db, int *length) {
    sqlite3_wal_hook(db, basket_sqlite_note_log, length);
}

// Has the database's file on the disk, through SQLite's own handle: another one that was closed again
// would take the locks on the file along.
static inline int basket_sqlite_sync(sqlite3 *db) {
    sqlite3_file *file = 0;
    int status = sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (status != SQLITE_OK || !file || !file->pMethods) return status;
    return file->pMethods->xSync(file, SQLITE_SYNC_NORMAL | SQLITE_SYNC_DATAONLY);
}

// Extended codes are computed macros, which Swift can't import.
static const int basket_sqlite_ioerr_write = SQLITE_IOERR_WRITE;
static const int basket_sqlite_ioerr_fsync = SQLITE_IOERR_FSYNC;
static const int basket_sqlite_ioerr_shmsize = SQLITE_IOERR_SHMSIZE;
