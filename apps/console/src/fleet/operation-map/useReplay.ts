import { useEffect, useState } from 'react'
import { pastEndpoints } from '@saddle/contract/fleet/past.ts'
import { decodeMoment, decodeStretches } from '@saddle/contract/telemetry/past.ts'
import { hourMs, minuteMs } from '@saddle/contract/time.ts'
import { fromBase64Url } from '@saddle/contract/wire/bytes.ts'
import { call, isApiError, type ApiError } from '#kit/api/client.ts'
import { useScope } from '#kit/session/scope.ts'
import { createReplay, type Replay } from './replay.ts'

/** The first part is short, so that the picture is there at once; the others are fetched ahead of what is played. */
const firstPartMs = 20 * minuteMs
const partMs = 2 * hourMs

export interface ReplayState {
  readonly replay: Replay | null
  /** How far the parts have come. */
  readonly loadedTo: number
  readonly error: ApiError | null
}

const nothing: ReplayState = { replay: null, loadedTo: 0, error: null }
const bytesOf = (text: string): Uint8Array => fromBase64Url(text) ?? new Uint8Array(0)

/** The fleet's past from a moment on; parts follow each other until `wantedTo`. */
export function useReplay(options: { from: number | null; wantedTo: number }): ReplayState {
  const { from, wantedTo } = options
  const { scopeKey } = useScope()
  const [state, setState] = useState<ReplayState & { readonly key: string }>({ ...nothing, key: '' })
  const key = from === null ? '' : `${from}|${scopeKey}`
  const current = state.key === key ? state : { ...nothing, key }
  const { replay, loadedTo, error } = current

  useEffect(() => {
    if (from === null) return
    const control = new AbortController()
    const begin = async () => {
      const first = { from, to: from + firstPartMs, isFirst: true }
      const options = { signal: control.signal, quiet: true }
      const [part, moment] = await Promise.all([
        call(pastEndpoints.replayPart, first, options),
        call(pastEndpoints.fleetAt, { at: from }, options),
      ])
      const made = createReplay()
      made.setStates(decodeMoment(bytesOf(moment.data.bytes)))
      made.add(decodeStretches(bytesOf(part.data.bytes)))
      setState({ key, replay: made, loadedTo: first.to, error: null })
    }
    begin().catch((failure: unknown) => {
      if (!control.signal.aborted && isApiError(failure)) setState({ ...nothing, key, error: failure })
    })
    return () => control.abort()
  }, [from, key])

  const isBehind = replay !== null && error === null && loadedTo < wantedTo
  useEffect(() => {
    if (!isBehind || replay === null) return
    const control = new AbortController()
    const next = { from: loadedTo, to: loadedTo + partMs, isFirst: false }
    const goOn = async () => {
      const { data } = await call(pastEndpoints.replayPart, next, { signal: control.signal, quiet: true })
      replay.add(decodeStretches(bytesOf(data.bytes)))
      setState((now) => (now.key === key ? { ...now, loadedTo: next.to } : now))
    }
    goOn().catch((failure: unknown) => {
      if (!control.signal.aborted && isApiError(failure)) setState((now) => ({ ...now, error: failure }))
    })
    return () => control.abort()
  }, [isBehind, replay, loadedTo, key])
  return current
}
