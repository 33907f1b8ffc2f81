/**
 * A frame that breaks its protocol. `reason` is a short English sentence for a field engineer and for
 * counters; it never repeats the whole frame, which may hold keys.
 */
export class ProtocolError extends Error {
  readonly reason: string

  constructor(reason: string) {
    super(reason)
    this.name = 'ProtocolError'
    this.reason = reason
  }
}
