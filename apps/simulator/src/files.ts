import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { demoCodesSchema } from '@saddle/contract/demo/riders.ts'
import { minuteMs } from '@saddle/contract/time.ts'
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

/**
 * Credentials of the demo's devices by IMEI, as the server wrote them: a password for MQTT, the code of an earlier
 * registration for JT/T 808, none for Omni. Empty while there is no file.
 */
export function readPasswords(path: string): Map<string, string> {
  const passwords = new Map<string, string>()
  let list: unknown
  try {
    list = JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return passwords
  }
  for (const entry of Array.isArray(list) ? (list as unknown[]) : []) {
    if (!(entry instanceof Object)) continue
    const { imei, password } = entry as { imei?: unknown; password?: unknown }
    if (typeof imei === 'string' && typeof password === 'string') passwords.set(imei, password)
  }
  return passwords
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
