import { connect } from 'node:net'
import { generate } from 'mqtt-packet'
import { fleetTopics } from '@saddle/server/fleet/public.ts'
import type { Bus } from '@saddle/server/kit/bus.ts'

const everyMs = 25

/** How long reports took that were sent since the last `take`. */
export type ProbeFigures = { readonly probes: number; readonly p50Ms: number; readonly p99Ms: number }

/**
 * One more vehicle, calm among the others: notes how long each of its reports takes from its own end of the socket until
 * the live index has it. The feed's index subscribed before it, so what it hears is in there.
 */
export function startProbe(options: {
  port: number
  device: { imei: string; password: string }
  vehicleId: number
  bus: Bus
}): { take(): ProbeFigures } {
  const { port, device, vehicleId, bus } = options
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const { imei, password } = device
  const waiting: { at: number; sentAt: number }[] = []
  let took: number[] = []
  socket.write(
    generate({
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: 4,
      clean: true,
      clientId: imei,
      keepalive: 600,
      username: imei,
      password: Buffer.from(password),
    }),
  )
  bus.subscribe(fleetTopics.vehicle, (vehicles) => {
    const own = vehicles.find((vehicle) => vehicle.vehicleId === vehicleId)
    if (own === undefined) return
    const heardAt = performance.now()
    while (waiting[0] !== undefined && waiting[0].at <= (own.positionAt ?? 0)) {
      took.push(heardAt - (waiting.shift()?.sentAt ?? 0))
    }
  })
  let messageId = 0
  const timer = setInterval(() => {
    const at = Date.now()
    messageId = (messageId % 60_000) + 1
    const payload = JSON.stringify({ at, lat: 31.27, lng: 120.7 + (messageId % 100) * 1e-5 })
    waiting.push({ at, sentAt: performance.now() })
    const topic = `saddle/v1/${imei}/up/report`
    socket.write(generate({ cmd: 'publish', topic, payload, qos: 1, messageId, dup: false, retain: false }))
  }, everyMs)
  timer.unref()
  return {
    take() {
      const sorted = took.toSorted((a, b) => a - b)
      took = []
      const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
      return { probes: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99) }
    },
  }
}
