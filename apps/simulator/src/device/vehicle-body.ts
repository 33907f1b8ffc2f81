/** What a device can sense and control of its vehicle. The simulation moves it, the device reports it. */
export type VehicleBody = {
  /** Where the vehicle truly is, WGS-84. */
  lat: number
  lng: number
  speedKmh: number
  /** Where it is heading while it moves. */
  headingDeg?: number | null
  locked: boolean
  /** Fractions count; devices report whole per cent. */
  batteryPercent: number
  odometerM: number
  signal: number
  /** Since when the lock is open; null while it is locked. */
  openSinceMs: number | null
}

export function setLock(body: VehicleBody, locked: boolean, nowMs: number): void {
  body.locked = locked
  body.openSinceMs = locked ? null : nowMs
}

/** Moves the lock by command: not while the vehicle is riding, and not when the bolt is stuck. */
export function obeyLock({
  body,
  lock,
  troubles,
  nowMs,
}: {
  body: VehicleBody
  lock: boolean
  troubles: { readonly stuckBolt: boolean }
  nowMs: number
}): 'done' | 'riding' | 'failed' {
  if (lock && body.speedKmh >= 1) return 'riding'
  if (body.locked === lock) return 'done'
  if (troubles.stuckBolt) return 'failed'
  setLock(body, lock, nowMs)
  return 'done'
}

/** A 48 V lithium pack: nearly flat in the middle, steep at the end. */
export function packVoltageV(batteryPercent: number): number {
  const share = Math.max(0, Math.min(100, batteryPercent)) / 100
  return Math.round((42 + 10.4 * share + 2.2 * Math.sqrt(share)) * 10) / 10
}
