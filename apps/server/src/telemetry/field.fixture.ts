import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Kysely } from 'kysely'
import { Registry } from 'prom-client'
import { vi } from 'vitest'
import { portSettings, type DeviceProtocol } from '@saddle/contract/fleet/protocols.ts'
import { hourMs } from '@saddle/contract/time.ts'
import {
  decodeOmniCommand,
  encodeOmniToPlatform,
  type OmniBody,
  type OmniCommand,
} from '@saddle/device-protocols/omni/codec.ts'
import { createOmniSplitter } from '@saddle/device-protocols/omni/frames.ts'
import { createAudit } from '#audit/public.ts'
import { createFleet } from '#fleet/public.ts'
import type { Database } from '#kit/db/pool.ts'
import type { DB } from '#kit/db/types.ts'
import { createProduction } from '#production/public.ts'
import { testKit } from '#test/kit.ts'
import { startGateway } from './gateway/gateway.ts'
import { createTelemetryMetrics } from './metrics.ts'

/** Two franchisees with an area each; the second area of the first is one that most people of it may not see. */
export const field = {
  platform: 2,
  north: { agentId: 3, areaId: 31, otherAreaId: 32 },
  south: { agentId: 4, areaId: 41 },
} as const

export const northScope = { agentIds: [3], areaIds: [31, 32], operatorId: 7 }

const ring = JSON.stringify([
  [120, 31],
  [121, 31],
  [121, 32],
  [120, 31],
])

export async function seedField(owner: Kysely<DB>): Promise<void> {
  const agents = [
    { id: 2, parent_id: null, company: '总部' },
    { id: 3, parent_id: 2, company: '城北出行' },
    { id: 4, parent_id: 2, company: '城南出行' },
  ]
  await owner.insertInto('agent').values(agents).execute()
  const areas = [
    { id: 31, agent_id: 3, name: '城北' },
    { id: 32, agent_id: 3, name: '城北二区' },
    { id: 41, agent_id: 4, name: '城南' },
  ]
  await owner
    .insertInto('service_area')
    .values(areas.map(({ id, agent_id, name }) => ({ id, agent_id, name, centre_lat: 31.3, centre_lng: 120.6, ring })))
    .execute()
}

/** Waits for what follows a moment later, on a machine that has much else to do. */
export const eventually = <T>(work: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(work, { timeout: 60_000, interval: 10 })

/** As long as a terminal of a test may register. */
const registrationMs = hourMs
/** Of several fields of one database no two vehicles are the same. */
let nextSerial = 1

/** The fleet and its gateway on a free port, with a clock that stands still. */
export async function startField(db: Database, env: Readonly<Record<string, string>> = {}) {
  const kit = testKit(db, { ...portSettings(() => 0), HOST: '127.0.0.1', ...env })
  const registry = new Registry()
  const metrics = createTelemetryMetrics(registry)
  const audit = createAudit(kit)
  const fleet = createFleet(kit, { audit })
  const production = createProduction(kit, { audit, fleet })
  const { transfers } = production
  const gateway = await startGateway({ kit, fleet, audit, transfers, metrics, flushAfterMs: 1 })
  return {
    kit,
    fleet,
    production,
    gateway,
    metrics,
    registry,
    /** Registers one more vehicle. */
    async addVehicle(
      place: { agentId: number; areaId: number } = field.north,
      {
        mayRegister = true,
        ...device
      }: { protocol?: DeviceProtocol; terminalNumber?: string; mayRegister?: boolean } = {},
    ) {
      const serial = String(nextSerial).padStart(6, '0')
      nextSerial += 1
      const imei = `861234567${serial}`
      const number = `SD${serial}`
      const { agentId, areaId } = place
      const [id] = await db.system((tx) =>
        fleet.vehicles.register(tx, [{ agentId, areaId, number, imei, model: 'SD-E2', ...device }]),
      )
      if (id === undefined) throw new Error('the vehicle was not added')
      if (device.protocol === 'jt808' && mayRegister) {
        const until = new Date(kit.clock.now() + registrationMs)
        await db.system((tx) =>
          tx.updateTable('device').set({ registration_open_until: until }).where('vehicle_id', '=', id).execute(),
        )
      }
      return { id, imei, number }
    },
  }
}
export type Field = Awaited<ReturnType<typeof startField>>

export type Line = {
  readonly socket: Socket
  /** Frames of the platform, in order. */
  readonly received: OmniCommand[]
  say(...messages: OmniBody[]): void
  raw(bytes: string): void
  /** The next frame that nobody has taken yet. */
  next(): Promise<OmniCommand>
  closed: Promise<void>
  end(): void
}

/** A device's side of the socket, without a device: the test says every frame itself. */
export async function openLine(options: { port: number; imei: string; socket?: Socket }): Promise<Line> {
  const { port, imei, socket = connect({ port, host: '127.0.0.1', noDelay: true }) } = options
  const splitter = createOmniSplitter()
  const received: OmniCommand[] = []
  let taken = 0
  let wake: (() => void)[] = []
  socket.on('error', () => {})
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => {
      resolve()
      for (const call of wake) call()
    })
  })
  socket.on('data', (chunk) => {
    received.push(...splitter.push(chunk).map((frame) => decodeOmniCommand(frame)))
    const waiting = wake
    wake = []
    for (const call of waiting) call()
  })
  if (socket.connecting) await once(socket, 'connect')
  return {
    socket,
    received,
    closed,
    say: (...messages) => {
      for (const message of messages) {
        socket.write(encodeOmniToPlatform({ header: 'SCOR', vendor: 'OM', deviceId: imei, ...message }))
      }
    },
    raw: (bytes) => {
      socket.write(Buffer.from(bytes, 'latin1'))
    },
    async next() {
      while (received.length <= taken) {
        if (socket.destroyed) throw new Error('the platform closed the line')
        await new Promise<void>((resolve) => wake.push(resolve))
      }
      const frame = received[taken]
      taken += 1
      if (frame === undefined) throw new Error('no frame')
      return frame
    },
    end: () => socket.destroy(),
  }
}

export const signIn: OmniBody = { instruction: 'Q0', voltageV: 50, batteryPercent: 80, signal: 28 }

export function heartbeat(locked: boolean, batteryPercent = 80): OmniBody {
  return { instruction: 'H0', locked, voltageV: 50, signal: 28, batteryPercent, charging: false }
}

export function positionAt(timeUtc: number, lat: number, lng: number): OmniBody {
  return { instruction: 'D0', trigger: 1, timeUtc, located: true, lat, lng, satellites: 9, hdop: 0.9, mode: 'A' }
}
