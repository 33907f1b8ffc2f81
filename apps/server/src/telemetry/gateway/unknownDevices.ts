import { sql } from 'kysely'
import { hourMs, minuteMs } from '@saddle/contract/time.ts'
import type { Audit } from '#audit/public.ts'
import type { Kit } from '#kit/kit.ts'
import { createLimiter } from '#kit/limits.ts'

/** Unknown devices beyond this number are counted but not stored. */
const maxUnknownDevices = 10_000
/** An unknown device that keeps connecting is stored at most this often. */
const unknownPauseMs = 10_000
const maxRemembered = 20_000

const namePattern = /^[0-9]{12,20}$/

/** A device that staff have refused is stored less often. */
const refusedPauseMs = 10 * minuteMs
/** A registered device that is refused gets one line in the device log in this time, */
const tellEveryMs = hourMs
/** and all of them together at most this many: trying every IMEI must not fill the log. */
const linesPerMinute = 60

/** Why a device was refused: not registered, wrong secret, or registered for another protocol. */
export type HeldFor = 'unknown' | 'secret' | 'protocol'

export type UnknownDevices = {
  /** Whether it was refused a moment ago, so that the database is not queried again at once. */
  isRefused(name: string): boolean
  /** Drops them from the cache: they may be registered now. */
  forget(names: readonly string[]): void
  /** Stores the attempt of a refused device. */
  note(options: { name: string; protocol: string; address: string; reason: HeldFor }): Promise<void>
}

type Noted = {
  state: string
  attempts: number
  agent_id: number
  area_id: number | null
  vehicle_id: number | null
  is_due: boolean
}

export function createUnknownDevices(
  kit: Pick<Kit, 'db' | 'clock'>,
  others: { readonly audit: Audit },
): UnknownDevices {
  const lines = createLimiter({ limit: linesPerMinute, windowMs: minuteMs, maxKeys: 1, clock: kit.clock })
  const refused = new Map<string, { until: number; missed: number }>()
  const isRefused = (name: string): boolean => {
    const entry = refused.get(name)
    if (entry === undefined || entry.until <= kit.clock.now()) return false
    entry.missed += 1
    return true
  }
  return {
    isRefused,
    forget(names) {
      for (const name of names) refused.delete(name)
    },
    async note({ name, protocol, address, reason }) {
      const nowMs = kit.clock.now()
      // A wrong secret must not block the device that has the right one.
      const key = reason === 'secret' ? `${name} secret` : name
      if (reason === 'secret' && isRefused(key)) return
      const attempts = 1 + (refused.get(key)?.missed ?? 0)
      refused.delete(key)
      refused.set(key, { until: nowMs + unknownPauseMs, missed: 0 })
      const oldest = refused.keys().next().value
      if (refused.size > maxRemembered && oldest !== undefined) refused.delete(oldest)
      if (!namePattern.test(name)) return
      const at = new Date(nowMs)
      const said = await kit.db.system(async (tx) => {
        const { rows } = await sql<Noted>`
          insert into unknown_device
            (imei, protocol, first_seen_at, last_seen_at, attempts, address, reason, agent_id, area_id, told_at)
          select ${name}::text, ${protocol}::text, ${at}::timestamptz, ${at}::timestamptz, ${attempts}::bigint, ${address}::text,
            ${reason}::text, owner.agent_id, owner.area_id, case when ${reason} = 'unknown' then null else ${at}::timestamptz end
          from (
            select agent_id, area_id from device where imei = ${name} or terminal_number = ${name}
            union all (select id, null from agent where parent_id is null order by id limit 1)
            limit 1
          ) owner
          where exists (select from unknown_device where imei = ${name})
            or (select count(*) from unknown_device) < ${maxUnknownDevices}
          on conflict (imei) do update set
            attempts = unknown_device.attempts + excluded.attempts,
            last_seen_at = excluded.last_seen_at, address = excluded.address,
            protocol = excluded.protocol, reason = excluded.reason,
            agent_id = excluded.agent_id, area_id = excluded.area_id,
            told_at = case when unknown_device.told_at > ${new Date(nowMs - tellEveryMs)}::timestamptz
              then unknown_device.told_at else excluded.told_at end
          returning state, attempts, agent_id, area_id, coalesce(told_at = ${at}::timestamptz, false) as is_due,
            (select vehicle_id from device where imei = ${name} or terminal_number = ${name} limit 1) as vehicle_id`.execute(
          tx,
        )
        const [noted] = rows
        if (noted?.is_due === true && noted.vehicle_id !== null && lines.take('all').allowed) {
          await others.audit.write(tx, {
            agentId: noted.agent_id,
            areaId: noted.area_id,
            operatorId: null,
            action: 'onboard.sign_in_refused',
            subjectKind: 'device',
            subjectId: noted.vehicle_id,
            about: [{ kind: 'vehicle', id: noted.vehicle_id }],
            after: { heldFor: reason, protocol, tries: noted.attempts },
            address,
          })
        }
        return noted
      })
      if (said?.state === 'refused') refused.set(key, { until: nowMs + refusedPauseMs, missed: 0 })
    },
  }
}
