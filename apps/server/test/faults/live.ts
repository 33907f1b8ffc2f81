import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { liveSocketPath } from '@saddle/contract/constants.ts'
import { packStatus, statusFlags } from '@saddle/contract/telemetry/frame.ts'
import { decodeLiveFrame, type LiveVehicle } from '@saddle/contract/telemetry/live.ts'
import type { Fleet } from '#fleet/public.ts'
import type { TestClient } from '#test/client.ts'
import { createLiveIndex } from '#telemetry/live/liveIndex.ts'
import type { Node } from './nodes.ts'

const world = { west: -180, south: -90, east: 180, north: 90 }
const withinMs = 5_000
const everyMs = 250
const pageSize = 5_000

/** What of a vehicle must be the same, as text: whether it counts as silent depends on the moment. */
const factsOf = ({ id, lat, lng, ...status }: LiveVehicle): string =>
  [id, Math.round(lat * 1e6), Math.round(lng * 1e6), packStatus(status) & ~(statusFlags.offline << 16)].join(' ')

/**
 * Opens the live map of every api server and holds it against the database for 5 s at most. Returns a sentence for each
 * server that still differs.
 */
export async function compareLive(options: {
  readonly api: readonly Node[]
  readonly client: TestClient
  readonly fleet: Pick<Fleet, 'vehicles'>
  readonly scope: { readonly agentId: number; readonly areaId: number }
}): Promise<string[]> {
  const found = await Promise.all(options.api.map((node) => compareOne(node, options)))
  return found.flat()
}

async function compareOne(node: Node, options: Omit<Parameters<typeof compareLive>[0], 'api'>): Promise<string[]> {
  const shown = openMap(node.url, options.client)
  try {
    const until = performance.now() + withinMs
    for (;;) {
      const stored = await inDatabase(options)
      const missing = stored.filter((facts) => !shown.facts().has(facts))
      if (missing.length === 0) return []
      if (performance.now() > until)
        return [`the live index of ${node.name} differs: ${missing.length} of ${stored.length}, e.g. ${missing[0]}`]
      await sleep(everyMs)
    }
  } finally {
    shown.close()
  }
}

/** The vehicles of the database, by the same reading as of a server that starts. */
async function inDatabase({
  fleet,
  scope,
}: Pick<Parameters<typeof compareLive>[0], 'fleet' | 'scope'>): Promise<string[]> {
  const index = createLiveIndex({ nowMs: Date.now() })
  index.update(await fleet.vehicles.page({ afterId: 0, limit: pageSize }))
  const visibility = { agentIds: new Set([scope.agentId]), areaIds: new Set([scope.areaId]) }
  return index.query({ bounds: world, visibility }).map(factsOf)
}

function openMap(url: string, client: TestClient) {
  const cookie = [...client.jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const socket = new WebSocket(url.replace('http', 'ws') + liveSocketPath, { headers: { cookie } })
  const vehicles = new Map<number, string>()
  socket.on('error', () => {})
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
