/** A start that cannot succeed as it was asked for; the message is the one line that says why and what to do. */
export class StartRefusal extends Error {
  override readonly name = 'StartRefusal'
}
