import { useEffect, useState } from 'react'

export const playSpeeds = [1, 10, 60, 300, 900] as const
export type PlaySpeed = (typeof playSpeeds)[number]

export interface Player {
  readonly atMs: number
  readonly isPlaying: boolean
  readonly speed: PlaySpeed
  readonly seek: (atMs: number) => void
  readonly toggle: () => void
  readonly setSpeed: (speed: PlaySpeed) => void
}

interface Span {
  readonly from: number
  readonly to: number
  readonly startsAt?: number
  readonly speed?: PlaySpeed
}

/** Interval of playback updates: smooth to the eye, and cheap enough beside a map. */
const stepMs = 66

/** A playback clock that runs through a time span at a given speed and stops at its end. */
export function usePlayer({ from, to, startsAt, speed: firstSpeed = 60 }: Span): Player {
  const [state, setState] = useState({ from, to, atMs: startsAt ?? from, isPlaying: false })
  const [speed, setSpeed] = useState<PlaySpeed>(firstSpeed)
  if (state.from !== from || state.to !== to) {
    const kept = state.atMs >= from && state.atMs <= to ? state.atMs : (startsAt ?? from)
    setState({ from, to, atMs: kept, isPlaying: state.isPlaying && kept < to })
  }
  const { isPlaying } = state
  useEffect(() => {
    if (!isPlaying) return
    let before = performance.now()
    const timer = setInterval(() => {
      const now = performance.now()
      const passed = (now - before) * speed
      before = now
      setState((one) => {
        const atMs = Math.min(one.to, one.atMs + passed)
        return { ...one, atMs, isPlaying: atMs < one.to }
      })
    }, stepMs)
    return () => clearInterval(timer)
  }, [isPlaying, speed])
  return {
    atMs: state.atMs,
    isPlaying,
    speed,
    seek: (atMs) => setState((one) => ({ ...one, atMs: Math.min(one.to, Math.max(one.from, atMs)) })),
    toggle: () =>
      setState((one) => ({
        ...one,
        isPlaying: !one.isPlaying,
        atMs: one.atMs >= one.to && !one.isPlaying ? one.from : one.atMs,
      })),
    setSpeed,
  }
}
