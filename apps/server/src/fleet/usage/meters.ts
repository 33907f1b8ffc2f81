import { sql } from 'kysely'
import { meterEventsMax, type MeterCount, type MeterDay, type MeterEvent } from '@saddle/contract/finance/meters.ts'
import { computed, rowOfValues } from '#kit/db/rows.ts'
import type { Kit } from '#kit/kit.ts'

interface Meter {
  count(day: Omit<MeterDay, 'agentId' | 'areaId'> & { readonly day: string }): Promise<MeterCount[]>
  events(day: MeterDay): Promise<MeterEvent[] | null>
}

const counted = rowOfValues({
  agent_id: computed('bigint', sql`n.agent_id`),
  area_id: computed('bigint', sql`n.area_id`),
  quantity: computed('bigint', sql`n.quantity`),
})
const event = rowOfValues({
  subject: computed('text', sql`v.number`),
  quantity: computed('bigint', sql`n.quantity`),
})

const countOf = (row: { agent_id: number; area_id: number; quantity: number }): MeterCount => ({
  agentId: row.agent_id,
  areaId: row.area_id,
  quantity: row.quantity,
})

/** Vehicles in service by day, as the figures of the fleet have them; what they did that day tells which they were. */
export function vehicleDays({ db }: Pick<Kit, 'db'>): Meter {
  return {
    count: async ({ day }) => {
      const rows = await db.systemRead((k) =>
        counted.select`
          from (select f.agent_id, f.area_id, f.vehicles as quantity from fleet_day f
            join service_area a on a.id = f.area_id and a.agent_id = f.agent_id where f.day = ${day}::date) n`.compile(
          k,
        ),
      )
      return rows.map(countOf)
    },
    events: async ({ agentId, areaId, from, to }) => {
      const rows = await db.systemRead((k) =>
        event.select`
          from (select g.vehicle_id, 1 as quantity from track_segment g
            where g.agent_id = ${agentId} and g.area_id = ${areaId} and g.started_at >= ${from} and g.started_at < ${to}
            group by g.vehicle_id) n
          join vehicle v on v.id = n.vehicle_id order by v.number limit ${meterEventsMax}`.compile(k),
      )
      return rows.map(({ subject, quantity }) => ({ subject, at: null, quantity }))
    },
  }
}

/** Messages of devices by day; reports are kept for a while only. */
export function deviceMessages({ db }: Pick<Kit, 'db'>): Meter {
  return {
    count: async ({ from, to }) => {
      const rows = await db.systemRead((k) =>
        counted.select`
          from (select r.agent_id, r.area_id, sum(1 + r.unchanged) as quantity from device_report r
            where r.occurred_at >= ${from} and r.occurred_at < ${to} group by r.agent_id, r.area_id) n
          join service_area a on a.id = n.area_id and a.agent_id = n.agent_id`.compile(k),
      )
      return rows.map(countOf)
    },
    events: async ({ agentId, areaId, from, to }) => {
      const rows = await db.systemRead((k) =>
        event.select`
          from (select r.vehicle_id, sum(1 + r.unchanged) as quantity from device_report r
            where r.agent_id = ${agentId} and r.area_id = ${areaId} and r.occurred_at >= ${from} and r.occurred_at < ${to}
            group by r.vehicle_id) n
          join vehicle v on v.id = n.vehicle_id order by n.quantity desc, v.number limit ${meterEventsMax}`.compile(k),
      )
      return rows.length === 0 ? null : rows.map(({ subject, quantity }) => ({ subject, at: null, quantity }))
    },
  }
}
