import { closeCodes, type LiveFrameBytes } from '@saddle/contract/telemetry/live.ts'
import type { LiveIndex } from '../live/liveIndex.ts'
import type { LiveView } from '../live/liveView.ts'
import { feedLimits, holds, notify, type Client } from './client.ts'
import { mapCodes } from './permissions.ts'

/** The frames of one tick. Clients that see the same share one view and are sent the same bytes. */
export function createFrames() {
  const views = new Map<string, { readonly view: LiveView; readonly from: number }>()
  const encoded = new Map<LiveView, LiveFrameBytes | null>()
  let sequence = 0
  const next = (): number => (sequence = (sequence + 1) >>> 0)
  return {
    beginTick(): void {
      views.clear()
      encoded.clear()
    },
    snapshot: (view: LiveView): LiveFrameBytes => view.snapshot(next()),
    /** The view of another client that has seen the same up to now, or else its own. */
    shared({ viewKey, seen }: Client, own: LiveView): LiveView {
      const other = views.get(viewKey)
      if (other === undefined) views.set(viewKey, { view: own, from: seen })
      return other?.from === seen ? other.view : own
    },
    difference(view: LiveView): LiveFrameBytes | null {
      const known = encoded.get(view)
      if (known !== undefined) return known
      const frame = view.difference(sequence + 1)
      if (frame !== null) next()
      encoded.set(view, frame)
      return frame
    },
  }
}

export type Frames = ReturnType<typeof createFrames>

type Update = {
  readonly client: Client
  readonly index: LiveIndex
  readonly frames: Frames
  readonly nowMs: number
}

/** Sends a client what there is to tell it. */
export function sendUpdate(update: Update): void {
  const frame = makeUpdate(update)
  if (frame !== null) update.client.socket.send(frame)
}

/** What changed in a client's view since the last time, or the whole view when it has none; null: nothing to send. */
export function makeUpdate({ client, index, frames, nowMs }: Update): LiveFrameBytes | null {
  if (client.socket.bufferedAmount() > feedLimits.maxBufferedBytes) {
    waitForSlow(client, nowMs)
    return null
  }
  if (client.slowSince !== null) {
    client.slowSince = null
    client.needsSnapshot = client.viewport !== null
  }
  if (client.missedEvents) {
    client.missedEvents = false
    notify(client, { type: 'refresh' })
  }
  const { viewport } = client
  if (viewport === null || !holds(client.rights, mapCodes)) return null
  if (!client.needsSnapshot && client.seen === index.sequence) return null
  const frame =
    client.needsSnapshot || client.view === null
      ? openView({ client, index, frames, nowMs }, viewport)
      : frames.difference((client.view = frames.shared(client, client.view)))
  client.seen = index.sequence
  return frame
}

function openView({ client, index, frames, nowMs }: Update, viewport: NonNullable<Client['viewport']>): LiveFrameBytes {
  const { visibility } = client
  const view = index.createView({ ...viewport, visibility })
  client.view = view
  client.viewKey = JSON.stringify([viewport, [...visibility.agentIds], [...visibility.areaIds]])
  client.viewedAt = nowMs
  client.needsSnapshot = false
  return frames.snapshot(view)
}

function waitForSlow(client: Client, nowMs: number): void {
  client.slowSince ??= nowMs
  if (nowMs - client.slowSince >= feedLimits.slowForMs) {
    client.socket.close(closeCodes.tooSlow, 'too slow')
    client.slowSince = nowMs
  }
}
