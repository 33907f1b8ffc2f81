import { useEffect, useState } from 'react'
import { secondsLeft } from './rules.ts'

interface Countdown {
  readonly seconds: number
  start(seconds: number): void
}

/** Whole seconds that are left, measured by the clock: a tab that slept does not count slower. */
export function useCountdown(): Countdown {
  const [untilMs, setUntilMs] = useState<number | null>(null)
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    if (untilMs === null) return undefined
    const tick = (): void => {
      const left = secondsLeft(untilMs, Date.now())
      setSeconds(left)
      if (left === 0) setUntilMs(null)
    }
    const timer = setInterval(tick, 250)
    return () => clearInterval(timer)
  }, [untilMs])
  return {
    seconds,
    start: (duration) => {
      setSeconds(duration)
      setUntilMs(Date.now() + duration * 1000)
    },
  }
}
