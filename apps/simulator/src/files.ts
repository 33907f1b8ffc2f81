import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { LifeRecord } from '#sim/life/life.ts'

/** A life that was written down for this seed and fleet; null when there is none, or one of another city. */
export function readRecord(path: string, wanted: { seed: number; vehicles: number }): LifeRecord | null {
  try {
    const record = JSON.parse(readFileSync(path, 'utf8')) as LifeRecord
    const fits = record.version === 1 && record.seed === wanted.seed && record.vehicles.length === wanted.vehicles
    return fits ? record : null
  } catch {
    // Not there yet, or cut off: the city begins anew.
    return null
  }
}

/** A record that is there is whole, however this process ends. */
export function writeRecord(path: string, record: LifeRecord): void {
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, JSON.stringify(record))
  renameSync(draft, path)
}

/**
 * What the demo's devices show to be let in, by IMEI, as the server wrote it down: a password over MQTT, the code of an
 * earlier registration over JT/T 808. None while it has not.
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
    if (!(entry instanceof Object) || !('imei' in entry) || !('protocol' in entry)) continue
    const { mqttPassword, authCode } = entry as { mqttPassword?: unknown; authCode?: unknown }
    const word = entry.protocol === 'jt808' ? authCode : mqttPassword
    if (typeof entry.imei === 'string' && typeof word === 'string') passwords.set(entry.imei, word)
  }
  return passwords
}
