import { sql } from 'kysely'
import type { Kit } from '#kit/kit.ts'

/** More strangers than this are counted and not kept. */
const maxUnknownDevices = 10_000
/** A stranger that keeps calling is written down so often and no more. */
const unknownPauseMs = 10_000
const maxRemembered = 20_000

export type UnknownDevices = {
  /** Remembers that it called a moment ago and was not known, so that the database is not asked again at once. */
  isRefused(imei: string): boolean
  /** Notes a call of a device that nobody registered. */
  note(options: { imei: string; protocol: string; address: string }): Promise<void>
}

export function createUnknownDevices(kit: Pick<Kit, 'db' | 'clock'>): UnknownDevices {
  const refused = new Map<string, { until: number; missed: number }>()
  return {
    isRefused(imei) {
      const entry = refused.get(imei)
      if (entry === undefined || entry.until <= kit.clock.now()) return false
      entry.missed += 1
      return true
    },
    async note({ imei, protocol, address }) {
      const nowMs = kit.clock.now()
      const attempts = 1 + (refused.get(imei)?.missed ?? 0)
      refused.delete(imei)
      refused.set(imei, { until: nowMs + unknownPauseMs, missed: 0 })
      const oldest = refused.keys().next().value
      if (refused.size > maxRemembered && oldest !== undefined) refused.delete(oldest)
      const at = new Date(nowMs)
      await kit.db.system((tx) =>
        sql`
          insert into unknown_device (imei, protocol, first_seen_at, last_seen_at, attempts, address)
          select ${imei}::text, ${protocol}::text, ${at}::timestamptz, ${at}::timestamptz, ${attempts}::bigint, ${address}::text
          where exists (select from unknown_device where imei = ${imei})
            or (select count(*) from unknown_device) < ${maxUnknownDevices}
          on conflict (imei) do update set
            attempts = unknown_device.attempts + excluded.attempts,
            last_seen_at = excluded.last_seen_at, address = excluded.address`.execute(tx),
      )
    },
  }
}
