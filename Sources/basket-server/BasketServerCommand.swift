/// The server's command: parse, call, print.
enum BasketServerCommand {
    static func main() async {}
}
