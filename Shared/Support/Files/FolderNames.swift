/// A folder that is being read. What is taken out of it meanwhile disturbs nobody.
package protocol FolderNames: AnyObject {
    /// The next names, at most so many, in no order; none at the end. What has a name that is no Unicode is given
    /// another one first, like it and free: nobody could say it else.
    func next(_ limit: Int) throws(FileError) -> [String]
}
