import type { KeyObject } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { demoCodesSchema } from '@saddle/contract/demo/riders.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { readPublicKey } from '@saddle/device-protocols/image.ts'
import { systemClock, type Clock } from '#sim/clock.ts'
import type { LifeRecord } from '#sim/life/life.ts'

/** The saved state for this seed and fleet; null when there is none, or it is of another city. */
export function readRecord(path: string, wanted: { seed: number; vehicles: number }): LifeRecord | null {
  try {
    const record = JSON.parse(readFileSync(path, 'utf8')) as LifeRecord
    const fits = record.version === 2 && record.seed === wanted.seed && record.vehicles.length === wanted.vehicles
    return fits ? record : null
  } catch {
    // Missing or truncated: the city starts from its initial state.
    return null
  }
}

/** Written atomically, so that an existing file is complete. */
export function writeRecord(path: string, record: LifeRecord): void {
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, JSON.stringify(record))
  renameSync(draft, path)
}

type Devices = { readonly passwords: Map<string, string>; readonly firmware: Map<string, string> }

/**
 * What the server wrote of the demo's devices, by IMEI: credentials (a password for MQTT, the code of an earlier registration
 * for JT/T 808, none for Omni) and the version that each was heard to run. Empty while there is no file.
 */
export function readDevices(path: string | undefined): Devices {
  const devices: Devices = { passwords: new Map(), firmware: new Map() }
  if (path === undefined) return devices
  let list: unknown
  try {
    list = JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return devices
  }
  for (const entry of Array.isArray(list) ? (list as unknown[]) : []) {
    if (!(entry instanceof Object)) continue
    const { imei, password, firmware } = entry as { imei?: unknown; password?: unknown; firmware?: unknown }
    if (typeof imei !== 'string') continue
    if (typeof password === 'string') devices.passwords.set(imei, password)
    if (typeof firmware === 'string') devices.firmware.set(imei, firmware)
  }
  return devices
}

/** The public key of those whose firmware the demo's devices take; null while there is none: then they take none. */
export function readArtefactKey(path: string): KeyObject | null {
  try {
    const { key } = JSON.parse(readFileSync(path, 'utf8')) as { key?: unknown }
    return typeof key === 'string' ? readPublicKey(key) : null
  } catch {
    return null
  }
}

const codesEveryMs = 5 * minuteMs

/** Codes of coupons that are handed out in the streets, by company; the server writes them again from time to time. */
export function createCodes(path: string, clock: Clock = systemClock): (agentId: number) => readonly string[] {
  let known: Readonly<Record<string, readonly string[]>> = {}
  let readAtMs = -Infinity
  return (agentId) => {
    if (clock.now() - readAtMs >= codesEveryMs) {
      readAtMs = clock.now()
      try {
        known = demoCodesSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
      } catch {
        // Nothing is handed out yet.
        known = {}
      }
    }
    return known[String(agentId)] ?? []
  }
}
