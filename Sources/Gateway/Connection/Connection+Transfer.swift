import HTTPProtocol
import Observability
package import Transport

// Bodies of requests, and answers that come piece by piece.
extension Connection {
  // MARK: - Bodies

  /// Lets the body of the request come to the transfer.
  package func receiveBody(on loop: isolated EventLoop) {
    guard let exchange, let request = exchange.request, let count = request.contentLength, machine.bodyWanted() else { return }
    exchange.bodyLeft = count
    begin(TransferPace(bytes: Int64(count), now: loop.now.milliseconds), on: loop)
    // RFC 9110 §10.1.1: a client may wait with the body until it hears that it is wanted.
    if request.expectsContinue { enqueue(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8), on: loop) }
    watch(on: loop)
    askForFlush(on: loop)
  }

  /// Hands over what is there of the body; returns how many bytes are done with.
  func readBody(_ bytes: UnsafeRawBufferPointer, on loop: isolated EventLoop) -> Int {
    guard let exchange, let transfer = exchange.transfer, !bytes.isEmpty else { return 0 }
    let count = min(bytes.count, exchange.bodyLeft)
    exchange.bodyLeft -= count
    exchange.pace?.moved(at: loop.now.milliseconds)
    let isLast = exchange.bodyLeft == 0
    if isLast {
      machine.bodyEnded()
      setTimer(at: loop.now + context.limits.handshakeMs, on: loop)
    } else {
      machine.paused()
    }
    watch(on: loop)
    transfer.bodyArrived(UnsafeRawBufferPointer(rebasing: bytes[..<count]), isLast: isLast, from: self, on: loop)
    return machine.input == .discarded ? bytes.count : count
  }

  /// The transfer wants more of the body.
  package func takeMore(on loop: isolated EventLoop) {
    exchange?.pace?.moved(at: loop.now.milliseconds)
    resumeReading(on: loop)
  }

  // MARK: - Answers

  /// Begins an answer whose content comes by `sendPiece`, and ends with `endAnswer`.
  ///
  /// - Parameters:
  ///   - response: The answer without its content.
  ///   - length: How many bytes of content follow.
  package func beginAnswer(_ response: HTTPResponse, length: Int64, on loop: isolated EventLoop) {
    guard let exchange, let request = exchange.request, machine.answerBegan() else { return }
    begin(TransferPace(bytes: length, now: loop.now.milliseconds), on: loop)
    enqueue(response.headBytes(length: length, keepsAlive: request.keepsAlive), on: loop)
    watch(on: loop)
  }

  /// Sends a piece of the content; `roomCame` of the transfer tells when it is with the kernel.
  package func sendPiece(_ bytes: [UInt8], on loop: isolated EventLoop) {
    guard machine.isAnswering else { return }
    enqueue(bytes, on: loop)
  }

  /// The whole answer is handed over.
  package func endAnswer(on loop: isolated EventLoop) {
    guard let request = exchange?.request, machine.isAnswering else { return }
    follow(machine.answered(isRefusal: false, keepsAlive: request.keepsAlive), on: loop)
  }

  /// Tells the transfer that what it handed over is sent.
  func tellTransfer(waited: Int, on loop: isolated EventLoop) {
    guard let exchange, machine.isAnswering else { return }
    if waitingBytes < waited { exchange.pace?.moved(at: loop.now.milliseconds) }
    if waitingBytes == 0 { exchange.transfer?.roomCame(self, on: loop) }
  }

  // MARK: - Time

  /// Looks whether the client takes too long over a body or an answer.
  func checkTransfer(on loop: isolated EventLoop) {
    guard let pace = exchange?.pace else { return }
    // While our disk is waited for the client cannot do anything.
    if machine.isPaused { exchange?.pace?.moved(at: loop.now.milliseconds) }
    if let next = (exchange?.pace ?? pace).nextCheck(at: loop.now.milliseconds) {
      return setTimer(at: loop.now + (next - loop.now.milliseconds), on: loop)
    }
    guard machine.isAnswering else {
      return refuse(.text(408, "The body did not come in time"), cause: .handshakeTimeout, on: loop)
    }
    end(.slowReader, on: loop)
  }

  private func begin(_ pace: TransferPace, on loop: isolated EventLoop) {
    exchange?.pace = pace
    setTimer(at: loop.now + TransferPace.idleMs, on: loop)
  }

  /// Takes the transfer away, to tell it of its end.
  func takeTransfer() -> (any RequestTransfer)? {
    defer { exchange?.transfer = nil }
    return exchange?.transfer
  }
}
