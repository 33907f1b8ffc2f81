export interface Throttle {
  /** Runs at once, or at the end of the present pause. */
  readonly run: () => void
  readonly stop: () => void
}

/** At most one run per `pauseMs`; the last request always runs. */
export function throttle(pauseMs: number, work: () => void): Throttle {
  let timer: ReturnType<typeof setTimeout> | undefined
  let again = false
  const rest = () => {
    timer = setTimeout(() => {
      timer = undefined
      if (!again) return
      again = false
      work()
      rest()
    }, pauseMs)
  }
  return {
    run() {
      if (timer !== undefined) {
        again = true
        return
      }
      work()
      rest()
    },
    stop() {
      clearTimeout(timer)
      timer = undefined
      again = false
    },
  }
}
