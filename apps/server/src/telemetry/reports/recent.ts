/** A device repeats what it got no answer to, which is never more than it may have under way. */
const remembered = 64

/**
 * The latest frames of one device, to know one that comes again without asking the database. What is older is known
 * there.
 */
export class RecentFrames {
  readonly #times = new Float64Array(remembered)
  readonly #crcs = new Int32Array(remembered)
  #next = 0
  /** No frame in memory is newer: one that is cannot be there. */
  #newest = Number.NEGATIVE_INFINITY

  /** True when the frame was there already; remembers it otherwise. */
  isRepeat(occurredAt: number, frameCrc: number): boolean {
    const times = this.#times
    for (let index = 0; occurredAt <= this.#newest && index < remembered; index += 1) {
      if (times[index] === occurredAt && this.#crcs[index] === frameCrc) return true
    }
    if (occurredAt > this.#newest) this.#newest = occurredAt
    times[this.#next] = occurredAt
    this.#crcs[this.#next] = frameCrc
    this.#next = (this.#next + 1) % remembered
    return false
  }

  /** Of a frame that could not be stored: it is news when it comes again. */
  forget(occurredAt: number, frameCrc: number): void {
    for (let index = 0; index < remembered; index += 1) {
      if (this.#times[index] === occurredAt && this.#crcs[index] === frameCrc) this.#times[index] = 0
    }
  }
}
