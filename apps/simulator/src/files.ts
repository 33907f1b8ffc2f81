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

/** The MQTT passwords of the demo's devices by IMEI, as the server wrote them down; none while it has not. */
export function readPasswords(path: string): Map<string, string> {
  const passwords = new Map<string, string>()
  let list: unknown
  try {
    list = JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return passwords
  }
  for (const entry of Array.isArray(list) ? (list as unknown[]) : []) {
    if (!(entry instanceof Object) || !('imei' in entry) || !('mqttPassword' in entry)) continue
    if (typeof entry.imei === 'string' && typeof entry.mqttPassword === 'string') {
      passwords.set(entry.imei, entry.mqttPassword)
    }
  }
  return passwords
}
