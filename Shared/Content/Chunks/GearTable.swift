import BasketSupport

/// A random number for each byte, which the chunker mixes into its rolling hash.
///
/// Part of the format, like everything that decides where chunks end: with another table the same
/// bytes would be cut elsewhere, and nothing that was stored before would be recognised. Drawn with
/// SplitMix64 from a seed that spells its purpose, so that nobody has to trust 256 constants.
let gearTable: [UInt64] = {
    var generator = SeededGenerator(seed: 0x4261_736b_6574_2031)  // "Basket 1" in ASCII.
    return (0..<256).map { _ in generator.next() }
}()
