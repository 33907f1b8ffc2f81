import { hourMs } from '@saddle/contract/time.ts'
import type { Clock } from '#kit/clock.ts'
import type { Log } from '#kit/log.ts'
import type { TelemetryMetrics } from '../metrics.ts'
import type { DeviceSession } from './session.ts'
import type { Device } from './devices.ts'
import { networkOf } from './networks.ts'

/** A line that was its vehicle's for so long without a contest says where the vehicle is at home. */
export const homeAfterMs = hourMs
/** Of lines that take each other's place while a new one waits. */
const maxRounds = 3

/** What tells the live line of a device without a secret from a dead one. */
export type Contest = {
  readonly address: string
  readonly openedAt: number
  /** Asks the device for a word; false when none comes in time. */
  isAlive(): Promise<boolean>
  /** Raises the alarm that two networks speak for the vehicle. */
  alarm(): void
}

/** What became of a line that came from another network than the one before. */
type Outcome = 'moved' | 'refused' | 'returned'

/**
 * Omni devices show no secret: whoever knows an IMEI can speak for its vehicle. So a new line from another network does
 * not take the place of a live one: that is asked for a word first, and when it answers, the new one is refused. The
 * network in which a vehicle is at home takes its place back whatever the other line says.
 */
export function createContests(options: {
  clock: Clock
  log: Log
  metrics: TelemetryMetrics
  liveOf: (vehicleId: number) => DeviceSession | undefined
}) {
  const { clock, log, metrics, liveOf } = options

  const tell = (device: Device, outcome: Outcome, change: { from: string; to: string }): void => {
    metrics.addressChanges.inc({ outcome })
    const said = { imei: device.imei, vehicleId: device.vehicleId, outcome, ...change }
    if (outcome === 'moved') log.info(said, 'a vehicle calls from another network')
    else log.warn(said, 'two networks speak for one vehicle')
  }

  return {
    /** Whether a new line may be its vehicle's. */
    async admits(device: Device, address: string): Promise<boolean> {
      const network = networkOf(address)
      for (let round = 0; round < maxRounds; round += 1) {
        const live = liveOf(device.vehicleId)
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
        if (liveOf(device.vehicleId) === live || liveOf(device.vehicleId) === undefined) return true
      }
      return false
    },

    /** A line has become its vehicle's. */
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
