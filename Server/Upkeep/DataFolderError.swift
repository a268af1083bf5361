import BasketSupport

/// Why a data folder cannot be used.
package enum DataFolderError: Error, Equatable {
    case inUse(String, process: Int32?)
    case notEmpty(String, name: String)
    case noDatabase(String)
    case unfinishedRestoration(String)
    case file(FileError)
}

extension DataFolderError: ReportableError {
    package var code: String {
        switch self {
        case .inUse: "data_folder_in_use"
        case .notEmpty: "data_folder_not_empty"
        case .noDatabase: "data_folder_without_database"
        case .unfinishedRestoration: "restoration_unfinished"
        case .file: "data_folder_failed"
        }
    }

    private static func wayOut(_ error: FileError) -> String {
        error.isForbidden
            ? "Run this as the user whom the folder belongs to, or choose another folder."
            : "Choose another folder, or make it one that can be written."
    }

    package var message: String {
        switch self {
        case .inUse(let path, let process):
            """
            another process\(process.map { ", \($0)," } ?? "") is using the data folder \(path).
            Stop it first, or choose another folder.
            """
        case .notEmpty(let path, let name):
            """
            the folder \(path) is not empty: there is '\(name)' in it.
            Choose a folder that is empty or does not exist.
            """
        case .noDatabase(let path):
            """
            there is no basket.db in \(path).
            Start a server with this data folder first, or choose another one.
            """
        case .unfinishedRestoration(let path):
            """
            a restoration into \(path) did not come to its end.
            Empty the folder, and restore into it again.
            """
        case .file(let error):
            """
            \(error).
            \(Self.wayOut(error))
            """
        }
    }
}
