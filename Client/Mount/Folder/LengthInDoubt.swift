/// The kernel may have a greater length for a file that somebody opens. It looks once more then, by the name.
struct LengthInDoubt: Error {}
