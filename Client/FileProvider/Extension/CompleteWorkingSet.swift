/// Not Apple's: the provider's working set holds every item of the domain, and enumerating its items tells
/// them all. Folders are listed from the start then, and everything can be seen offline; without it, the
/// system lists a folder when somebody first looks into it.
public protocol CompleteWorkingSet: NSFileProviderReplicatedExtension {}
