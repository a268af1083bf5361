import FileProvider
import Foundation

extension BasketExtension: DeclaringExtension {
    package static var declaration: Data { Data(BasketDeclaration.text.utf8) }
}
