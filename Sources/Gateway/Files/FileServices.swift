package import ChatEngine
import Locks

/// What all loops share to take and give files; every part may be used from any thread.
package final class FileServices: Sendable {
  let store: any Store
  let files: any FileStore
  let settings: FileSettings
  let tokens: FileTokens
  private let admission = Lock(UploadAdmission())

  package init(store: any Store, files: any FileStore, settings: FileSettings, tokens: FileTokens) {
    self.store = store
    self.files = files
    self.settings = settings
    self.tokens = tokens
  }

  /// An upload wants to begin; nil where it may.
  func begin(_ place: UploadAdmission.Place, usedByUser: Int64, at now: UInt64) -> UploadAdmission.Refusal? {
    let usage = UploadAdmission.Usage(ofUser: usedByUser, ofAll: files.figures().bytes)
    return admission.withLock { $0.begin(place, usage, settings, at: now) }
  }

  /// An upload that began is over.
  func end(_ place: UploadAdmission.Place) { admission.withLock { $0.end(place) } }
}
