import { minuteMs } from '@saddle/contract/time.ts'
import type { DeviceAlarm } from '@saddle/device-protocols/report.ts'
import type { Flasher } from './flasher.ts'
import type { Troubles } from './troubles.ts'
import type { VehicleBody } from './vehicle-body.ts'

/** A device as its connection sees it: bytes in, bytes out, for any protocol. */
export type DeviceLine = {
  /** A connection is open. */
  connected(nowMs: number): void
  disconnected(): void
  receive(chunk: Buffer, nowMs: number): void
  /** Queues what is due. */
  tick(nowMs: number): void
  /** Up to this many messages, oldest first, as bytes for the socket. */
  take(limit: number): (string | Uint8Array)[]
  /** Set once after a restart or power-off command: how long it stays offline. */
  takeLeave(): number | null
}

/** A device as its vehicle sees it. */
export type Device = DeviceLine & {
  readonly imei: string
  readonly body: VehicleBody
  readonly troubles: Troubles
  readonly flasher: Flasher
  alarm(name: DeviceAlarm, nowMs: number): void
  /** Reports the vehicle's state now. */
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

/** Report intervals grow with the fleet: parked devices every few minutes, moving ones every few seconds. */
export function timingFor(vehicles: number): DeviceTiming {
  const at = (least: number, each: number, most: number) => Math.max(least, Math.min(most, vehicles * each))
  return {
    heartbeatMs: at(10_000, 120, 240_000),
    trackingMs: at(4_000, 3, 6_000),
    parkedPositionMs: at(60_000, 180, 360_000),
    vehicleDataMs: at(15_000, 12, 25_000),
  }
}

/** How long a device is offline after a restart, and after a power-off until it is switched on again. */
export const restartMs = 3_000
export const switchedOffMs = 5 * minuteMs
