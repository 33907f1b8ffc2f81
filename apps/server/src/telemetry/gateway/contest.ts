import { hourMs } from '@saddle/contract/time.ts'
import type { Clock } from '#kit/clock.ts'
import type { Log } from '#kit/log.ts'
import type { TelemetryMetrics } from '../metrics.ts'
import type { Device } from './devices.ts'
import { networkOf } from './networks.ts'

/** A connection that held its vehicle this long without a contest shows the vehicle's home network. */
export const homeAfterMs = hourMs
/** How many replaced connections a new one waits for. */
const maxRounds = 3

/** Checks whether the connection of a device without a secret is alive. */
export type Contest = {
  readonly address: string
  readonly openedAt: number
  /** Asks the device for a message; false when none arrives in time. */
  isAlive(): Promise<boolean>
  /** Raises the alarm that two networks claim the vehicle. */
  alarm(): void
}

/** A connection that a vehicle has, and what tells it from another one. */
export interface LiveConnection {
  readonly key: unknown
  readonly contest: Contest | undefined
}

/** The outcome for a connection from another network than the one before. */
type Outcome = 'moved' | 'refused' | 'returned'

/**
 * Omni devices show no secret: anybody who knows an IMEI can pose as its vehicle. A connection from another network
 * therefore does not replace a live one: the gateway probes the old connection first, and when it answers, refuses the new
 * one. A connection from the vehicle's home network always replaces the other.
 */
export function createContests(options: {
  clock: Clock
  log: Log
  metrics: TelemetryMetrics
  /** The connection that the vehicle has now, here or at another gateway. */
  liveOf: (vehicleId: number) => Promise<LiveConnection | undefined>
}) {
  const { clock, log, metrics, liveOf } = options

  const tell = (device: Device, outcome: Outcome, change: { from: string; to: string }): void => {
    metrics.addressChanges.inc({ outcome })
    const said = { imei: device.imei, vehicleId: device.vehicleId, outcome, ...change }
    if (outcome === 'moved') log.info(said, 'a vehicle calls from another network')
    else log.warn(said, 'two networks speak for one vehicle')
  }

  return {
    /** Whether a new connection may replace the vehicle's present one. */
    async admits(device: Device, address: string): Promise<boolean> {
      const network = networkOf(address)
      for (let round = 0; round < maxRounds; round += 1) {
        const live = await liveOf(device.vehicleId)
        const contest = live?.contest
        if (contest === undefined || networkOf(contest.address) === network) return true
        settle(device, contest, clock.now())
        const change = { from: contest.address, to: address }
        device.home.contestedAt = clock.now()
        if (device.home.network === network) {
          contest.alarm()
          tell(device, 'returned', change)
          return true
        }
        if (await contest.isAlive()) {
          contest.alarm()
          tell(device, 'refused', change)
          return false
        }
        const now = await liveOf(device.vehicleId)
        if (now === undefined || now.key === live?.key) return true
      }
      return false
    },

    /** A connection has signed in for its vehicle. */
    entered(device: Device, address: string): void {
      const { home } = device
      const before = home.address
      home.address = address
      home.network ??= networkOf(address)
      if (before !== null && networkOf(before) !== networkOf(address)) {
        tell(device, 'moved', { from: before, to: address })
      }
    },

    left: (device: Device, contest: Contest): void => settle(device, contest, clock.now()),
  }
}

function settle({ home }: Device, { address, openedAt }: Contest, nowMs: number): void {
  if (nowMs - Math.max(openedAt, home.contestedAt) >= homeAfterMs) home.network = networkOf(address)
}
