import TestSupport
import Testing

@testable import Transport

@Suite struct FlushListTests {
  @Test func `a pass goes over what waited when it began`() {
    var list = FlushList()
    let (one, two) = (ClosureHandler(), ClosureHandler())
    expect(list.isEmpty, "empty at first")
    list.append(one)
    list.append(two)
    list.beginPass()
    expect(list.isEmpty, "nobody waits for the next pass")
    expect(list.next() === one, "first")
    list.append(one)
    expect(list.next() === two, "second")
    expect(list.next() == nil, "end of the pass")
    expect(!list.isEmpty, "one waits again")
    list.beginPass()
    expect(list.next() === one && list.next() == nil && list.next() == nil, "second pass")
  }
}
