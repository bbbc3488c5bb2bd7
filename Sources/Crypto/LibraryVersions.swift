import CJOSE
import COpenSSL

/// The versions of the libraries that are loaded.
package enum LibraryVersions {
  /// OpenSSL's own words, such as `OpenSSL 3.0.19 27 Jan 2026`.
  package static var openSSL: String { String(cString: OpenSSL_version(OPENSSL_VERSION)) }
  /// The number of cjose.
  package static var cjose: String { String(cString: cjose_version()) }
}
