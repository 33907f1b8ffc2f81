import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { liveSocketPath } from '@saddle/contract/constants.ts'
import { packStatus, statusFlags } from '@saddle/contract/telemetry/frame.ts'
import { decodeLiveFrame, type LiveVehicle } from '@saddle/contract/telemetry/live.ts'
import type { Fleet } from '#fleet/public.ts'
import type { TestClient } from '#test/client.ts'
import { createLiveIndex } from '#telemetry/live/liveIndex.ts'
import type { ApiAddress } from './nodes.ts'

const world = { west: -180, south: -90, east: 180, north: 90 }
const withinMs = 5_000
const everyMs = 250
const againAfterMs = 500
const pageSize = 5_000

/** What of a vehicle must be the same, as text: whether it counts as silent depends on the moment. */
const factsOf = ({ id, lat, lng, ...status }: LiveVehicle): string =>
  [id, Math.round(lat * 1e6), Math.round(lng * 1e6), packStatus(status) & ~(statusFlags.offline << 16)].join(' ')

/** A console that shows the live map of an api server all the time. */
export interface Watching {
  readonly node: ApiAddress
  /** Of each vehicle that it shows. */
  facts(): ReadonlySet<string>
  stop(): void
}

/** Opens the live map, and opens it again whenever its connection ends. */
export function startWatching(node: ApiAddress, client: TestClient): Watching {
  let isStopped = false
  const open = (): ReturnType<typeof openMap> =>
    openMap(node.url, client, () => {
      if (!isStopped) setTimeout(() => isStopped || (shown = open()), againAfterMs)
    })
  let shown = open()
  return {
    node,
    facts: () => shown.facts(),
    stop: () => {
      isStopped = true
      shown.close()
    },
  }
}

interface Comparing {
  readonly fleet: Pick<Fleet, 'vehicles'>
  readonly scope: { readonly agentId: number; readonly areaId: number }
}

/**
 * Holds what each console shows against the database for 5 s at most. Returns a sentence for each that still lacks a vehicle or
 * shows one that is not there.
 */
export async function compareLive({ consoles, ...options }: Comparing & { readonly consoles: readonly Watching[] }) {
  const found = await Promise.all(consoles.map((one) => compareOne(one, options)))
  return found.flat()
}

async function compareOne({ node, facts }: Watching, options: Comparing): Promise<string[]> {
  const until = performance.now() + withinMs
  for (;;) {
    const [stored, shown] = [new Set(await inDatabase(options)), facts()]
    const different = [...stored.symmetricDifference(shown)]
    if (different.length === 0) return []
    if (performance.now() > until)
      return [`the live map of ${node.name} differs: ${different.length} of ${stored.size}, e.g. ${different[0]}`]
    await sleep(everyMs)
  }
}

/** The vehicles of the database, by the same reading as of a server that starts. */
async function inDatabase({ fleet, scope }: Comparing): Promise<string[]> {
  const index = createLiveIndex({ nowMs: Date.now() })
  index.update(await fleet.vehicles.page({ afterId: 0, limit: pageSize }))
  const visibility = { agentIds: new Set([scope.agentId]), areaIds: new Set([scope.areaId]) }
  return index.query({ bounds: world, visibility }).map(factsOf)
}

function openMap(url: string, client: TestClient, onClosed: () => void) {
  const cookie = [...client.jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const socket = new WebSocket(url.replace('http', 'ws') + liveSocketPath, { headers: { cookie } })
  const vehicles = new Map<number, string>()
  socket.on('error', () => {})
  socket.on('close', onClosed)
  socket.on('open', () => {
    const token = client.sign(client.tokenFor({ endpoint: { method: 'GET', path: liveSocketPath } }))
    socket.send(JSON.stringify({ type: 'hello', token }))
  })
  socket.on('message', (data: Buffer, isBinary) => {
    if (!isBinary) {
      const event = JSON.parse(data.toString()) as { readonly type: string }
      if (event.type === 'ready') socket.send(JSON.stringify({ type: 'view', bounds: world }))
      return
    }
    const frame = decodeLiveFrame(new Uint8Array(data))
    if (frame.kind !== 'vehicles') return
    if (frame.snapshot) vehicles.clear()
    for (const id of frame.removed) vehicles.delete(id)
    for (const vehicle of frame.upserts) vehicles.set(vehicle.id, factsOf(vehicle))
  })
  return { facts: () => new Set(vehicles.values()), close: () => socket.terminate() }
}
