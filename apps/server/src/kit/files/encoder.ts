/** Collects texts as UTF-8. */
interface Encoder {
  add(text: string): void
  readonly length: number
  /** What was added since the last time; valid until as many later ones were taken as there are buffers. */
  take(): Buffer
}

/** Of one UTF-16 unit, at most. */
const bytesPerUnit = 3
const firstBytes = 65_536

/** Encodes text by text into pieces of memory that are used by turns: a large file leaves hardly any garbage behind. */
export function createEncoder(buffers: number): Encoder {
  const pieces = Array.from({ length: buffers }, () => Buffer.allocUnsafeSlow(firstBytes))
  let turn = 0
  let piece = pieces[0] ?? Buffer.alloc(0)
  let length = 0
  return {
    add: (text) => {
      const needed = length + text.length * bytesPerUnit
      if (needed > piece.length) {
        const larger = Buffer.allocUnsafeSlow(needed * 2)
        piece.copy(larger, 0, 0, length)
        piece = larger
        pieces[turn] = larger
      }
      length += piece.write(text, length)
    },
    get length() {
      return length
    },
    take: () => {
      const taken = piece.subarray(0, length)
      turn = (turn + 1) % buffers
      piece = pieces[turn] ?? piece
      length = 0
      return taken
    },
  }
}
