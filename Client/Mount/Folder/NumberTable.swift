/// Values by numbers of the kernel's, each in a place of its own: a dictionary has room for up to three times as many as are in
/// it, and a value of some hundred bytes would take that, too.
struct NumberTable<Value>: ~Copyable {
    private final class Place {
        var value: Value

        init(_ value: Value) {
            self.value = value
        }
    }

    private var places: [UInt64: Place] = [:]

    subscript(number: UInt64) -> Value? {
        get { places[number]?.value }
        set {
            guard let newValue else {
                places[number] = nil
                return
            }
            if let place = places[number] {
                place.value = newValue
            } else {
                places[number] = Place(newValue)
            }
        }
    }
}
