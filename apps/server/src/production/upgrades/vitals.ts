import { sql, type RawBuilder } from 'kysely'
import { hourMs } from '@saddle/contract/time.ts'
import { computed, rowOfValues, type RowOf } from '#kit/db/rows.ts'
import type { Vitals } from './rules.ts'
import { heardSince } from '#fleet/public.ts'

/** Vehicles that are compared at most, of each side. */
const comparedMax = 200
/** Fewer of one side say nothing. */
const comparedMin = 20

const vitalsRow = rowOfValues({
  is_upgraded: computed('boolean', sql`r.is_upgraded`),
  vehicles: computed('integer', sql`count(*)`),
  unlocks: computed('integer', sql`sum(r.unlocks)`),
  failed: computed('integer', sql`sum(r.failed)`),
  offline: computed('integer', sql`count(*) filter (where r.is_offline)`),
  drain: computed('double precision?', sql`avg(r.drain)`),
})

/**
 * How upgraded vehicles and others of the same areas do: failed unlocks and battery since `from`, and who is offline now. Each
 * side is a sample, so that the statement stays small in a large fleet.
 */
export const selectVitals = (options: {
  campaignId: number
  from: Date
  nowMs: number
}): RawBuilder<RowOf<typeof vitalsRow>> => {
  const { campaignId, from, nowMs } = options
  const silentSince = heardSince(nowMs, sql`s.agent_id`)
  return vitalsRow.select`
    from (
      select p.is_upgraded, s.heard_at is null or s.heard_at < ${silentSince} as is_offline, k.unlocks, k.failed, b.drain
      from (
        (select a.vehicle_id, true as is_upgraded, greatest(a.finished_at, ${from}) as since from upgrade_action a
          where a.campaign_id = ${campaignId} and a.state = 'finished' order by a.finished_at desc limit ${comparedMax})
        union all
        (select a.vehicle_id, false, ${from}::timestamptz from upgrade_action a
          where a.campaign_id = ${campaignId} and a.state = 'scheduled' order by a.id limit ${comparedMax})
      ) p
      join vehicle_status s on s.vehicle_id = p.vehicle_id
      cross join lateral (
        select count(*) as unlocks, count(*) filter (where m.state in ('failed', 'expired')) as failed
        from vehicle_command m where m.vehicle_id = p.vehicle_id and m.kind = 'unlock' and m.finished_at >= p.since
      ) k
      cross join lateral (
        select greatest(0, (f.battery_percent - l.battery_percent) * 86400
          / nullif(extract(epoch from l.occurred_at - f.occurred_at), 0)) as drain
        from (select 1) one
        left join lateral (
          select d.battery_percent, d.occurred_at from device_report d
          where d.vehicle_id = p.vehicle_id and d.occurred_at >= p.since and d.battery_percent is not null
          order by d.occurred_at limit 1
        ) f on true
        left join lateral (
          select d.battery_percent, d.occurred_at from device_report d
          where d.vehicle_id = p.vehicle_id and d.occurred_at >= p.since and d.battery_percent is not null
          order by d.occurred_at desc limit 1
        -- Per cents are whole: over less time one of them would be a fall of many a day.
        ) l on l.occurred_at >= f.occurred_at + interval '1 hour'
      ) b
    ) r group by r.is_upgraded`
}

const points = (part: number, whole: number): number | null =>
  whole < comparedMin ? null : Math.round((part * 1000) / whole) / 10

export function vitalsOf(rows: readonly RowOf<typeof vitalsRow>[]): Vitals {
  const side = (isUpgraded: boolean) => rows.find((row) => row.is_upgraded === isUpgraded)
  const both = (value: (row: RowOf<typeof vitalsRow>) => number | null) => {
    const [upgraded, others] = [side(true), side(false)]
    return {
      upgraded: upgraded === undefined ? null : value(upgraded),
      others: others === undefined ? null : value(others),
    }
  }
  return {
    unlockFailures: both(({ failed, unlocks }) => points(failed, unlocks)),
    offline: both(({ offline, vehicles }) => points(offline, vehicles)),
    batteryDrain: both(({ drain, vehicles }) =>
      drain === null || vehicles < comparedMin ? null : Math.round(drain * 10) / 10,
    ),
  }
}

export const vitalsFrom = (startedAt: Date | null, nowMs: number): Date =>
  new Date(Math.max(startedAt?.getTime() ?? nowMs, nowMs - 72 * hourMs))
