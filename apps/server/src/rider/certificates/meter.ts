import { sql } from 'kysely'
import { meterEventsMax, type MeterCount, type MeterDay, type MeterEvent } from '@saddle/contract/finance/meters.ts'
import { computed, rowOf, rowOfValues } from '#kit/db/rows.ts'
import type { Kit } from '#kit/kit.ts'

const counted = rowOfValues({
  agent_id: computed('bigint', sql`f.agent_id`),
  quantity: computed('bigint', sql`count(*)`),
})
const decided = rowOf('rider_certificate', 'f', ['id', 'decided_at']).filled('decided_at')

/** Certificates that were decided on a day, by company. */
export function certifications({ db }: Pick<Kit, 'db'>) {
  return {
    count: async ({ from, to }: Pick<MeterDay, 'from' | 'to'>): Promise<MeterCount[]> => {
      const rows = await db.systemRead((k) =>
        counted.select`
          from rider_certificate f where f.decided_at >= ${from} and f.decided_at < ${to} group by f.agent_id`.compile(
          k,
        ),
      )
      return rows.map((row) => ({ agentId: row.agent_id, areaId: null, quantity: row.quantity }))
    },
    events: async ({ agentId, from, to }: MeterDay): Promise<MeterEvent[]> => {
      const rows = await db.systemRead((k) =>
        decided.select`
          from rider_certificate f
          where f.agent_id = ${agentId} and f.decided_at >= ${from} and f.decided_at < ${to}
          order by f.decided_at, f.id limit ${meterEventsMax}`.compile(k),
      )
      return rows.map(({ id, decided_at }) => ({ subject: String(id), at: decided_at.getTime(), quantity: 1 }))
    },
  }
}
