interface Options {
  readonly cause?: unknown
  /** The administrators have been asked to approve this browser. */
  readonly isDeviceRequested?: boolean
}

/** A login that did not succeed; `message` is the text for the person, in Chinese. */
export class LoginError extends Error {
  override readonly name = 'LoginError'
  readonly isDeviceRequested: boolean

  constructor(message: string, { cause, isDeviceRequested = false }: Options = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.isDeviceRequested = isDeviceRequested
  }
}
