import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientMessage, LiveFrameBytes } from '@saddle/contract/telemetry/live.ts'
import { fleetTopics, type VehicleLimits } from '#fleet/public.ts'
import type { Kit } from '#kit/kit.ts'
import type { LiveIndex } from '../live/liveIndex.ts'
import { createClient, feedLimits, forEachClient, type Client, type LiveIdentity, type LiveSocket } from './client.ts'
import { forwardEvents } from './events.ts'
import { createFrames, makeUpdate, sendUpdate, type Frames } from './frames.ts'
import { readRights } from './rights.ts'

export type LiveSession = {
  onMessage(message: ClientMessage): void
  onClose(): void
}

const reloadRetryMs = 1_000

export type LiveFeed = {
  open(socket: LiveSocket, identity: LiveIdentity): LiveSession
  /** Sends what changed. Called twice a second by itself; tests call it after they move the clock. */
  tick(): void
  readonly index: LiveIndex
  close(): void
}

type Sources = {
  /** Reads all vehicles from the database into the index: when messages of other processes may have been missed. */
  readonly load?: () => Promise<void>
  /** What companies have chosen by now. */
  readonly limits?: () => Promise<VehicleLimits>
}
const limitsEveryMs = 2_000

/**
 * Sends vehicles and events to the people who may see them.
 */
export function createLiveFeed(
  kit: Pick<Kit, 'bus' | 'clock' | 'log'>,
  index: LiveIndex,
  { load = () => Promise.resolve(), limits }: Sources = {},
): LiveFeed {
  const clients = new Set<Client>()
  const frames = createFrames()
  const reload = createReload(kit, load)
  const stops = [
    kit.bus.subscribe(fleetTopics.vehicle, (vehicles) => index.update(vehicles)),
    forwardEvents(kit, clients),
    kit.bus.onGap(() => reload.runNow()),
  ]
  const tick = (): void => {
    index.keepDifferences(isAnyWaiting(clients))
    index.tick(kit.clock.now())
    const nowMs = kit.clock.now()
    frames.beginTick()
    // All frames are made before the first is sent: writing to a socket empties the processor's cache of what they are made of.
    const made = new Map<Client, LiveFrameBytes>()
    forEachClient(clients, (client) => {
      if (nowMs - client.checkedAt >= feedLimits.recheckEveryMs) void readRights({ client, kit })
      const frame = makeUpdate({ client, index, frames, nowMs })
      if (frame !== null) made.set(client, frame)
    })
    forEachClient(made.keys(), (client) => {
      const frame = made.get(client)
      if (frame !== undefined) client.socket.send(frame)
    })
  }
  const timer = setInterval(tick, feedLimits.tickMs)
  timer.unref()
  const asking = limits === undefined ? undefined : keepLimits(kit, index, limits)

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
      clearInterval(asking)
      for (const stop of stops) stop()
      clients.clear()
    },
  }
}

/** Whether a frame that was sent may still be read from its memory. */
function isAnyWaiting(clients: ReadonlySet<Client>): boolean {
  for (const { socket } of clients) if (socket.bufferedAmount() > 0) return true
  return false
}

/** Brings the limits of companies up to date; until they can be read the last ones count. */
function keepLimits({ log }: Pick<Kit, 'log'>, index: LiveIndex, limits: () => Promise<VehicleLimits>) {
  const timer = setInterval(() => {
    limits().then(index.takeLimits, (err: unknown) => log.warn({ err }, 'the limits of companies could not be read'))
  }, limitsEveryMs)
  timer.unref()
  return timer
}

/** Reads all vehicles again: one run at a time, and once more for a gap that came during a run. */
function createReload({ log }: Pick<Kit, 'log'>, load: () => Promise<void>): { runNow(): void } {
  let isRunning = false
  let isDue = false
  const run = async (): Promise<void> => {
    isRunning = true
    while (isDue) {
      isDue = false
      try {
        await load()
      } catch (err) {
        log.error({ err }, 'the live index could not be read again')
        isDue = true
        await sleep(reloadRetryMs, undefined, { ref: false })
      }
    }
    isRunning = false
  }
  return {
    runNow() {
      isDue = true
      if (!isRunning) void run()
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
