extension HostSettings {
    /// As an extension wants to be hosted. How many contents come and go at a time is for the calls to keep: here
    /// there is only room for so many.
    func serving(_ declaration: ExtensionDeclaration) -> HostSettings {
        var settings = self
        if let depth = declaration.depths.downloads {
            settings.downloads = depth
            settings.smallDownloads = depth
            settings.reads = depth
        }
        if let depth = declaration.depths.uploads {
            settings.uploads = depth
            settings.smallUploads = depth
        }
        if let depth = declaration.depths.metadataOnlyUploads { settings.metadataChanges = depth }
        for name in declaration.nonMaterialisingProcesses {
            settings.nonMaterialising.add(name: name)
        }
        settings.allowsUserControlledEviction = declaration.allowsUserControlledEviction
        return settings
    }
}
