interface Options {
  readonly cause?: unknown
  /** The administrators have been asked to approve this browser. */
  readonly isDeviceRequested?: boolean
  /** Seconds until another try may succeed. */
  readonly retryAfterS?: number | null
}

/** A login that did not succeed; `message` is the text for the person, in Chinese. */
export class LoginError extends Error {
  override readonly name = 'LoginError'
  readonly isDeviceRequested: boolean
  readonly retryAfterS: number | null

  constructor(message: string, { cause, isDeviceRequested = false, retryAfterS = null }: Options = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.isDeviceRequested = isDeviceRequested
    this.retryAfterS = retryAfterS
  }
}
