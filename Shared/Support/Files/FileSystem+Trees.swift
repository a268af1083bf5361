import Glibc

// For file systems on which nobody looks at trees.
extension FileSystem {
    package func facts(of path: String) throws(FileError) -> FileFacts {
        throw FileError("look at", path, code: EOPNOTSUPP)
    }

    package func removeFolder(_ path: String) throws(FileError) {
        throw FileError("remove", path, code: EOPNOTSUPP)
    }

    package func setMode(_ mode: UInt16, at path: String) throws(FileError) {
        throw FileError("set the rights of", path, code: EOPNOTSUPP)
    }

    package func setModified(_ modified: Timestamp, at path: String) throws(FileError) {
        throw FileError("set the date of", path, code: EOPNOTSUPP)
    }

    package func renameExclusively(_ path: String, to target: String) throws(FileError) {
        throw FileError("rename", path, code: EOPNOTSUPP)
    }

    package func makeSymlink(to target: String, at path: String) throws(FileError) {
        throw FileError("link", path, code: EOPNOTSUPP)
    }

    package func target(ofSymlink path: String) throws(FileError) -> String {
        throw FileError("read the link", path, code: EOPNOTSUPP)
    }

    package func attributes(of path: String) throws(FileError) -> [String: [UInt8]] { [:] }

    package func setAttribute(
        _ name: String, _ value: [UInt8]?, at path: String
    ) throws(FileError) {
        throw FileError("write at", path, code: EOPNOTSUPP)
    }

    package func openFolder(_ path: String) throws(FileError) -> any FolderNames {
        throw FileError("list", path, code: EOPNOTSUPP)
    }

    /// What stands at a path; nil for nothing.
    package func factsIfAny(of path: String) throws(FileError) -> FileFacts? {
        do throws(FileError) {
            return try facts(of: path)
        } catch  where error.isMissing {
            return nil
        }
    }

    /// That name in a folder, or the first like it that nothing has.
    package func freePath(for name: String, in folder: String) throws(FileError) -> String {
        var path = "\(folder)/\(name)"
        let names = BouncedName(name)
        var index = 0
        while try factsIfAny(of: path) != nil {
            path = "\(folder)/\(names.candidate(index))"
            index += 1
        }
        return path
    }

    /// The same bytes in another file, which must not exist; holes stay holes.
    package func copyFile(_ path: String, to target: String) throws(FileError) {
        let source = try open(path)
        let size = try source.size()
        _ = try create(target)
        let copy = try openToChange(target)
        for part in try source.data(in: 0..<size) {
            guard try copy.copy(part, from: source) == part.upperBound else {
                throw FileError("copy to", target, code: EIO)
            }
        }
        try copy.resize(to: size)
        guard try copy.size() == size, try source.size() == size else {
            throw FileError("copy to", target, code: EIO)
        }
        // Another descriptor may not hear of what could not be written.
        try copy.synchronize()
    }

    /// Removes something with all that lies in it, whatever the rights of folders say. What is not there is
    /// removed. What lies on another volume is somebody's who has it here only as a guest: it stays, and so does
    /// all around it.
    package func removeTree(_ path: String) throws(FileError) {
        guard let facts = try factsIfAny(of: path) else { return }
        var open = [path]
        if facts.kind != .folder {
            try remove(path)
            open = []
        }
        while let folder = open.last {
            let deeper = try removeFiles(in: folder, onVolume: facts.device)
            if let deeper {
                open.append(deeper)
            } else {
                try removeFolder(folder)
                open.removeLast()
            }
        }
    }

    /// - Returns: a folder in it that is not empty; nil when it is empty itself.
    private func removeFiles(
        in folder: String, onVolume device: UInt64
    ) throws(FileError) -> String? {
        try setMode(0o700, at: folder)
        let names = try openFolder(folder)
        while true {
            let part = try names.next(500)
            if part.isEmpty { return nil }
            for name in part {
                let path = folder + "/" + name
                let facts = try facts(of: path)
                guard facts.device == device else {
                    throw FileError("remove", path, code: EXDEV)
                }
                if facts.kind == .folder { return path }
                try remove(path)
            }
        }
    }
}
