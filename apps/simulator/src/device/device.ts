import { minuteMs } from '@saddle/contract/time.ts'
import type { DeviceAlarm } from '@saddle/device-protocols/report.ts'
import type { Troubles } from './troubles.ts'
import type { VehicleBody } from './vehicle-body.ts'

/** A device as its line sees it: bytes in, bytes out, whatever it speaks. */
export type DeviceLine = {
  /** A connection stands. */
  connected(nowMs: number): void
  disconnected(): void
  receive(chunk: Buffer, nowMs: number): void
  /** Queues what is due. */
  tick(nowMs: number): void
  /** At most so many messages, oldest first, as they go into the socket. */
  take(limit: number): (string | Uint8Array)[]
  /** Once after it was told to restart or switch off: for how long it stays away. */
  takeLeave(): number | null
}

/** A device as its vehicle sees it. */
export type Device = DeviceLine & {
  readonly imei: string
  readonly body: VehicleBody
  readonly troubles: Troubles
  alarm(name: DeviceAlarm, nowMs: number): void
  /** Says now how the vehicle is. */
  report(nowMs: number): void
}

export type DeviceTiming = {
  heartbeatMs: number
  /** Position while the lock is open. */
  trackingMs: number
  /** Position while it is closed. */
  parkedPositionMs: number
  vehicleDataMs: number
}

export const demoTiming: DeviceTiming = {
  heartbeatMs: 10_000,
  trackingMs: 4_000,
  parkedPositionMs: minuteMs,
  vehicleDataMs: 15_000,
}

/** The larger the fleet, the less often each device speaks: parked ones every few minutes, ridden ones every few seconds. */
export function timingFor(vehicles: number): DeviceTiming {
  const at = (least: number, each: number, most: number) => Math.max(least, Math.min(most, vehicles * each))
  return {
    heartbeatMs: at(10_000, 120, 240_000),
    trackingMs: at(4_000, 3, 6_000),
    parkedPositionMs: at(60_000, 180, 360_000),
    vehicleDataMs: at(15_000, 12, 25_000),
  }
}

/** How long a device stays away when it restarts, and when it is switched off and somebody switches it on again. */
export const restartMs = 3_000
export const switchedOffMs = 5 * minuteMs
