import type { ClientMessage } from '@saddle/contract/telemetry/live.ts'
import { fleetTopics } from '#fleet/public.ts'
import type { Kit } from '#kit/kit.ts'
import type { LiveIndex } from '../live/liveIndex.ts'
import { createClient, feedLimits, forEachClient, type Client, type LiveIdentity, type LiveSocket } from './client.ts'
import { forwardEvents } from './events.ts'
import { createFrames, sendUpdate, type Frames } from './frames.ts'
import { readRights } from './rights.ts'

export type LiveSession = {
  onMessage(message: ClientMessage): void
  onClose(): void
}

export type LiveFeed = {
  open(socket: LiveSocket, identity: LiveIdentity): LiveSession
  /** Sends what changed. Called twice a second by itself; tests call it after they move the clock. */
  tick(): void
  readonly index: LiveIndex
  close(): void
}

/** Sends vehicles and events to the people who may see them. */
export function createLiveFeed(kit: Pick<Kit, 'bus' | 'clock' | 'log'>, index: LiveIndex): LiveFeed {
  const clients = new Set<Client>()
  const frames = createFrames()
  const stops = [
    kit.bus.subscribe(fleetTopics.vehicle, (vehicles) => index.update(vehicles)),
    forwardEvents(kit, clients),
  ]
  const tick = (): void => {
    index.tick(kit.clock.now())
    const nowMs = kit.clock.now()
    frames.beginTick()
    forEachClient(clients, (client) => {
      if (nowMs - client.checkedAt >= feedLimits.recheckEveryMs) void readRights({ client, kit })
      sendUpdate({ client, index, frames, nowMs })
    })
  }
  const timer = setInterval(tick, feedLimits.tickMs)
  timer.unref()

  return {
    index,
    tick,
    open(socket, identity) {
      const client = createClient(socket, identity, kit.clock.now())
      clients.add(client)
      return {
        onMessage: (message) => onMessage({ client, message, index, frames, nowMs: kit.clock.now() }),
        onClose: () => {
          clients.delete(client)
        },
      }
    },
    close() {
      clearInterval(timer)
      for (const stop of stops) stop()
      clients.clear()
    },
  }
}

function onMessage({
  client,
  message,
  index,
  frames,
  nowMs,
}: {
  readonly client: Client
  readonly message: ClientMessage
  readonly index: LiveIndex
  readonly frames: Frames
  readonly nowMs: number
}): void {
  if (message.type === 'unview') {
    client.viewport = null
    client.view = null
    client.needsSnapshot = false
  } else if (message.type === 'view') {
    client.viewport = { bounds: message.bounds, zoom: message.zoom, filter: message.filter }
    client.needsSnapshot = true
    if (nowMs - client.viewedAt >= feedLimits.viewPauseMs) sendUpdate({ client, index, frames, nowMs })
  }
}
