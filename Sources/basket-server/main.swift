import BasketSupport
import Glibc

exit(await BasketServerCommand.main().rawValue)
