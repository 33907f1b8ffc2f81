/** A login that did not succeed; `message` is the text for the person, in Chinese. */
export class LoginError extends Error {
  override readonly name = 'LoginError'
}
