/// The types that Apple's systems name and people have, with the MIME types and extensions that stand for
/// them. They keep their names where the database of MIME types would have others.
///
/// A line is an identifier, its parents, its MIME types, its extensions, and what a person calls it.
enum BuiltInTypes {
    static let all: [TypeDeclaration] = table.split(separator: "\n").map { line in
        let fields = line.split(separator: "|", omittingEmptySubsequences: false)
        func words(_ place: Int) -> [String] {
            place < fields.count ? fields[place].split(separator: " ").map(String.init) : []
        }
        let description = words(4).joined(separator: " ")
        return TypeDeclaration(
            identifier: words(0).first ?? "", mimeTypes: words(2), extensions: words(3),
            parents: words(1), description: description.isEmpty ? nil : description)
    }

    private static let table = """
        public.item | | | | item
        public.content | | | | content
        public.composite-content | public.content | | | composite content
        public.data | public.item | application/octet-stream | bin | data
        public.database | | | | database
        public.calendar-event | | | | calendar event
        public.message | | | | message
        public.contact | | | | contact
        public.archive | public.data | | | archive
        public.disk-image | public.archive | | | disk image
        public.directory | public.item | inode/directory | | directory
        public.resolvable | | | | link
        public.symlink | public.item public.resolvable | inode/symlink | | symbolic link
        public.executable | public.item | application/x-executable | | executable
        com.apple.mount-point | public.item public.resolvable | inode/mount-point | | mount point
        com.apple.alias-file | public.data public.resolvable | | | alias
        com.apple.alias-record | public.data public.resolvable | | | alias record
        com.apple.bookmark | public.data public.resolvable | | | bookmark
        public.bookmark | | | | bookmark
        public.url | public.data | | | URL
        public.file-url | public.url | | | file URL
        public.folder | public.directory | | | folder
        public.volume | public.folder | | | volume
        com.apple.package | public.directory | | | package
        com.apple.bundle | public.directory | | | bundle
        com.apple.plugin | com.apple.bundle com.apple.package | | plugin | plug-in
        com.apple.framework | com.apple.bundle | | framework | framework
        com.apple.application | public.executable | | | application
        com.apple.application-bundle | com.apple.application com.apple.bundle com.apple.package | | app | application
        com.apple.application-and-system-extension | com.apple.bundle com.apple.package | | appex | extension
        public.unix-executable | public.data public.executable | application/x-sharedlib | | Unix executable
        com.microsoft.windows-executable | public.data public.executable | application/vnd.microsoft.portable-executable application/x-ms-dos-executable | exe | Windows executable
        com.sun.java-archive | public.zip-archive public.executable | application/java-archive | jar | Java archive
        public.text | public.data public.content | | | text
        public.plain-text | public.text | text/plain | txt text | text
        public.utf8-plain-text | public.plain-text | | | Unicode text
        public.utf16-plain-text | public.plain-text | | | Unicode text
        public.utf16-external-plain-text | public.plain-text | | | Unicode text
        com.apple.traditional-mac-plain-text | public.plain-text | | | text
        public.delimited-values-text | public.text | | | delimited text
        public.comma-separated-values-text | public.delimited-values-text | text/csv | csv | comma-separated values
        public.tab-separated-values-text | public.delimited-values-text | text/tab-separated-values | tsv | tab-separated values
        public.utf8-tab-separated-values-text | public.tab-separated-values-text public.utf8-plain-text | | | tab-separated values
        public.rtf | public.text | application/rtf text/rtf | rtf | rich text
        com.apple.rtfd | com.apple.package public.composite-content | | rtfd | rich text with attachments
        com.apple.flat-rtfd | public.data public.composite-content | | | rich text with attachments
        public.html | public.text | text/html | html htm shtml | HTML document
        com.apple.webarchive | public.data public.composite-content | application/x-webarchive | webarchive | web archive
        public.xml | public.text | application/xml text/xml | xml | XML document
        public.xhtml | public.xml | application/xhtml+xml | xhtml xht | XHTML document
        public.yaml | public.text | application/yaml application/x-yaml text/yaml | yaml yml | YAML document
        public.css | public.text | text/css | css | style sheet
        net.daringfireball.markdown | public.plain-text | text/markdown | md markdown | Markdown document
        public.log | public.plain-text | text/x-log | log | log
        public.source-code | public.plain-text | | | source code
        public.assembly-source | public.source-code | text/x-asm | s | assembly source
        public.c-source | public.source-code | text/x-csrc | c | C source
        public.c-header | public.source-code | text/x-chdr | h | C header
        public.c-plus-plus-source | public.source-code | text/x-c++src | cpp cc cxx | C++ source
        public.c-plus-plus-header | public.source-code | text/x-c++hdr | hpp hh hxx | C++ header
        public.objective-c-source | public.source-code | text/x-objcsrc | m | Objective-C source
        public.objective-c-plus-plus-source | public.source-code | text/x-objc++src | mm | Objective-C++ source
        public.swift-source | public.source-code | text/x-swift | swift | Swift source
        com.sun.java-source | public.source-code | text/x-java | java | Java source
        com.apple.applescript.text | public.script public.source-code | text/x-applescript | applescript | AppleScript text
        com.apple.applescript.script | public.data public.script | | scpt | compiled script
        com.apple.applescript.script-bundle | com.apple.applescript.script com.apple.bundle com.apple.package | | scptd | script bundle
        public.script | public.source-code | | | script
        public.shell-script | public.script | application/x-shellscript text/x-sh | sh command | shell script
        public.python-script | public.shell-script | text/x-python text/x-python3 | py | Python script
        public.ruby-script | public.shell-script | application/x-ruby | rb | Ruby script
        public.perl-script | public.shell-script | application/x-perl | pl pm | Perl script
        public.php-script | public.shell-script | application/x-php | php | PHP script
        com.netscape.javascript-source | public.source-code public.executable | text/javascript application/javascript application/x-javascript | js mjs | JavaScript source
        public.make-source | public.script | text/x-makefile | make mk | makefile
        public.json | public.text | application/json | json | JSON document
        public.geojson | public.json | application/geo+json | geojson | GeoJSON document
        com.apple.property-list | public.data | | plist | property list
        com.apple.xml-property-list | public.xml com.apple.property-list | application/x-plist | | property list
        com.apple.binary-property-list | com.apple.property-list | | | property list
        public.patch-file | public.plain-text | text/x-patch text/x-diff | patch diff | patch
        com.adobe.pdf | public.data public.composite-content | application/pdf | pdf | PDF document
        com.adobe.postscript | public.data public.composite-content | application/postscript | ps | PostScript document
        org.idpf.epub-container | public.data public.composite-content | application/epub+zip | epub | electronic book
        com.microsoft.word.doc | public.data public.composite-content | application/msword | doc dot | Word document
        com.microsoft.excel.xls | public.data public.spreadsheet | application/vnd.ms-excel | xls xlt | Excel workbook
        com.microsoft.powerpoint.ppt | public.data public.presentation | application/vnd.ms-powerpoint | ppt pps | PowerPoint presentation
        org.openxmlformats.openxml | public.data | | | Open XML document
        org.openxmlformats.wordprocessingml.document | org.openxmlformats.openxml public.composite-content | application/vnd.openxmlformats-officedocument.wordprocessingml.document | docx | Word document
        org.openxmlformats.spreadsheetml.sheet | org.openxmlformats.openxml public.spreadsheet | application/vnd.openxmlformats-officedocument.spreadsheetml.sheet | xlsx | Excel workbook
        org.openxmlformats.presentationml.presentation | org.openxmlformats.openxml public.presentation | application/vnd.openxmlformats-officedocument.presentationml.presentation | pptx | PowerPoint presentation
        org.oasis-open.opendocument | public.data public.composite-content | | | OpenDocument
        org.oasis-open.opendocument.text | org.oasis-open.opendocument | application/vnd.oasis.opendocument.text | odt | OpenDocument text
        org.oasis-open.opendocument.spreadsheet | org.oasis-open.opendocument public.spreadsheet | application/vnd.oasis.opendocument.spreadsheet | ods | OpenDocument spreadsheet
        org.oasis-open.opendocument.presentation | org.oasis-open.opendocument public.presentation | application/vnd.oasis.opendocument.presentation | odp | OpenDocument presentation
        com.apple.iwork.pages.sffpages | public.data public.composite-content | application/vnd.apple.pages | pages | Pages document
        com.apple.iwork.numbers.sffnumbers | public.data public.spreadsheet | application/vnd.apple.numbers | numbers | Numbers spreadsheet
        com.apple.iwork.keynote.sffkey | public.data public.presentation | application/vnd.apple.keynote | key | Keynote presentation
        public.spreadsheet | public.content | | | spreadsheet
        public.presentation | public.composite-content | | | presentation
        public.image | public.data public.content | | | image
        public.jpeg | public.image | image/jpeg image/jpg | jpeg jpg jpe | JPEG image
        public.png | public.image | image/png | png | PNG image
        public.tiff | public.image | image/tiff | tiff tif | TIFF image
        com.compuserve.gif | public.image | image/gif | gif | GIF image
        com.microsoft.bmp | public.image | image/bmp image/x-bmp | bmp | BMP image
        com.microsoft.ico | public.image | image/vnd.microsoft.icon image/x-icon | ico | icon
        com.apple.icns | public.image | image/x-icns | icns | icon
        public.svg-image | public.image public.xml | image/svg+xml | svg svgz | SVG image
        org.webmproject.webp | public.image | image/webp | webp | WebP image
        public.heif-standard | public.image | | | HEIF image
        public.heif | public.heif-standard | image/heif | heif hif | HEIF image
        public.heic | public.heif-standard | image/heic | heic | HEIC image
        public.heics | public.heif-standard | image/heic-sequence | heics | HEIC images
        public.avif | public.heif-standard | image/avif | avif | AVIF image
        public.jpeg-2000 | public.image | image/jp2 | jp2 jpf jpx j2k | JPEG 2000 image
        public.jpeg-xl | public.image | image/jxl | jxl | JPEG XL image
        com.ilm.openexr-image | public.image | image/x-exr | exr | OpenEXR image
        com.adobe.photoshop-image | public.image | image/vnd.adobe.photoshop | psd | Photoshop image
        public.camera-raw-image | public.image | image/x-dcraw | | raw camera image
        com.adobe.raw-image | public.camera-raw-image | image/x-adobe-dng | dng | raw camera image
        com.apple.live-photo | public.data public.content | | | live photo
        com.apple.live-photo-bundle | com.apple.package | | pvt | live photo
        public.3d-content | public.content | | | 3D content
        com.pixar.universal-scene-description | public.3d-content public.data | model/vnd.usd | usd usda usdc | USD scene
        com.pixar.universal-scene-description-mobile | com.pixar.universal-scene-description | model/vnd.usdz+zip | usdz | USD scene
        com.apple.reality | public.3d-content public.data | model/vnd.reality | reality | Reality scene
        com.apple.scenekit.scene | public.3d-content public.data | | scn | SceneKit scene
        com.apple.arobject | public.data | | arobject | reference object
        public.audiovisual-content | public.data public.content | | | audio and video
        public.movie | public.audiovisual-content | | | movie
        public.video | public.movie | | | video
        public.audio | public.audiovisual-content | | | audio
        com.apple.quicktime-movie | public.movie | video/quicktime | mov qt | QuickTime movie
        public.mpeg | public.movie | video/mpeg | mpg mpeg mpe | MPEG movie
        public.mpeg-2-video | public.video | | m2v | MPEG-2 video
        public.mpeg-2-transport-stream | public.movie | video/mp2t | ts | MPEG-2 transport stream
        public.mpeg-4 | public.movie | video/mp4 | mp4 mpg4 | MPEG-4 movie
        com.apple.m4v-video | public.mpeg-4 | video/x-m4v | m4v | MPEG-4 video
        public.avi | public.movie | video/x-msvideo video/vnd.avi video/avi | avi | AVI movie
        org.webmproject.webm | public.movie | video/webm | webm | WebM movie
        org.matroska.mkv | public.movie | video/x-matroska | mkv | Matroska movie
        public.3gpp | public.movie | video/3gpp | 3gp 3gpp | 3GPP movie
        public.mp3 | public.audio | audio/mpeg audio/mp3 | mp3 | MP3 audio
        public.mpeg-4-audio | public.audio | audio/mp4 | mp4a | MPEG-4 audio
        com.apple.m4a-audio | public.mpeg-4-audio | audio/x-m4a | m4a | MPEG-4 audio
        com.apple.protected-mpeg-4-audio | public.audio | | m4p | protected MPEG-4 audio
        com.apple.protected-mpeg-4-video | com.apple.m4v-video | | | protected MPEG-4 video
        public.aac-audio | public.audio | audio/aac | aac adts | AAC audio
        public.aiff-audio | public.audio | audio/x-aiff audio/aiff | aiff aif | AIFF audio
        com.microsoft.waveform-audio | public.audio | audio/x-wav audio/wav audio/vnd.wave | wav wave | waveform audio
        org.xiph.flac | public.audio | audio/flac audio/x-flac | flac | FLAC audio
        org.xiph.ogg-audio | public.audio | audio/ogg | oga ogg | Ogg audio
        org.xiph.opus | public.audio | audio/x-opus+ogg audio/opus | opus | Opus audio
        public.midi-audio | public.audio | audio/midi | midi mid | MIDI audio
        public.playlist | public.text | | | playlist
        public.m3u-playlist | public.playlist | audio/x-mpegurl audio/mpegurl | m3u m3u8 | M3U playlist
        public.zip-archive | public.archive | application/zip application/x-zip-compressed | zip | ZIP archive
        org.gnu.gnu-zip-archive | public.archive | application/gzip application/x-gzip | gz gzip | gzip archive
        org.gnu.gnu-zip-tar-archive | org.gnu.gnu-zip-archive | application/x-compressed-tar | tgz tar.gz | gzip tar archive
        public.bzip2-archive | public.archive | application/x-bzip application/x-bzip2 | bz2 bz | bzip2 archive
        org.tukaani.xz-archive | public.archive | application/x-xz | xz | xz archive
        com.facebook.zstandard-archive | public.archive | application/zstd | zst | Zstandard archive
        org.7-zip.7-zip-archive | public.archive | application/x-7z-compressed | 7z | 7-Zip archive
        com.rarlab.rar-archive | public.archive | application/vnd.rar application/x-rar | rar | RAR archive
        public.tar-archive | public.archive | application/x-tar | tar | tar archive
        com.apple.archive | public.archive | application/x-apple-archive | aar | Apple archive
        public.iso-image | public.disk-image | application/x-cd-image application/x-iso9660-image | iso | disc image
        com.apple.disk-image-udif | public.disk-image | application/x-apple-diskimage | dmg | disk image
        org.debian.deb-archive | public.archive | application/vnd.debian.binary-package application/x-deb | deb | Debian package
        com.redhat.rpm-archive | public.archive | application/x-rpm | rpm | RPM package
        public.font | public.data | | | font
        public.truetype-ttf-font | public.font | font/ttf application/x-font-ttf | ttf | TrueType font
        public.opentype-font | public.font | font/otf application/x-font-otf | otf | OpenType font
        public.vcard | public.text public.contact | text/vcard | vcf vcard | contact
        com.apple.ical.ics | public.text public.calendar-event | text/calendar | ics ical | calendar
        public.to-do-item | | | | task
        public.email-message | public.data public.message | message/rfc822 | eml | message
        com.apple.internet-location | public.data public.resolvable | | inetloc | Internet location
        com.apple.web-internet-location | com.apple.internet-location | | webloc | web location
        com.microsoft.internet-shortcut | public.data public.resolvable | application/x-mswinurl | url | Internet shortcut
        public.x509-certificate | public.data | application/pkix-cert application/x-x509-ca-cert | cer crt der | certificate
        com.rsa.pkcs-12 | public.data | application/pkcs12 application/x-pkcs12 | p12 pfx | personal certificate
        public.sqlite3 | public.database public.data | application/vnd.sqlite3 application/x-sqlite3 | sqlite sqlite3 | SQLite database
        com.apple.log | public.data | | | log
        com.apple.haptics.ahap | public.json | | ahap | haptic pattern
        com.apple.linkpresentation.metadata | public.data | | | link metadata
        com.apple.systempreference.prefpane | com.apple.package | | prefPane | preference pane
        com.apple.quicklook-generator | com.apple.bundle | | qlgenerator | Quick Look generator
        com.apple.spotlight-importer | com.apple.bundle | | mdimporter | Spotlight importer
        com.apple.xpc-service | com.apple.bundle com.apple.package | | xpc | service
        com.apple.icon-decoration.badge | public.image | | | badge
        com.apple.icon-decoration.badge.pinned | com.apple.icon-decoration.badge | | | pinned
        com.apple.icon-decoration.badge.heart | com.apple.icon-decoration.badge | | | heart
        com.apple.icon-decoration.badge.warning | com.apple.icon-decoration.badge | | | warning
        com.apple.icon-decoration.badge.checkmark | com.apple.icon-decoration.badge | | | checkmark
        com.apple.icon-decoration.badge.locked | com.apple.icon-decoration.badge | | | locked
        com.apple.icon-decoration.badge.locked-by-user | com.apple.icon-decoration.badge | | | locked
        com.apple.icon-decoration.badge.syncing | com.apple.icon-decoration.badge | | | syncing
        """
}
