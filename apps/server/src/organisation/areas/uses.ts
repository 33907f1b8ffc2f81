import { useLabels, type UseKind, type Uses } from '@saddle/contract/organisation/uses.ts'
import { sql } from 'kysely'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOfValues } from '#kit/db/rows.ts'

/** Tables whose rows are counted by name; every other table that names an area holds records of what was. */
const counted: Readonly<Record<string, { readonly use: UseKind; readonly condition: string }>> = {
  vehicle: { use: 'vehicles', condition: 'true' },
  task: { use: 'tasks', condition: 'done_at is null' },
  trip: { use: 'rides', condition: 'ended_at is null' },
  fence: { use: 'fences', condition: `kind <> 'service_area' and valid_to is null` },
  operator_area: { use: 'people', condition: 'true' },
}
/** What of them is over but still names the area. */
const past: Readonly<Record<string, string>> = {
  task: 'done_at is not null',
  trip: 'ended_at is not null',
  fence: `kind <> 'service_area' and valid_to is not null`,
}
/**
 * The area itself; the trail, whose lines outlive what they are about; figures of tasks, which are asked for themselves; what
 * goes with a vehicle or with the area.
 */
const unasked = ['service_area', 'audit_record', 'work_day', 'production_unit', 'gbfs_feed', 'gbfs_reader']

const kindRow = rowOfValues({
  kind: computed('text', sql`kind`),
  count: computed('bigint', sql`sum(count)`),
}).codes({ kind: useLabels })

const nameRow = rowOfValues({ name: computed('text', sql`c.relname`) })

/**
 * What hangs on an area, in every table that names one, so that a table added later is asked as well. Records of the
 * past are only looked for, not counted: there may be millions. As the system: a use that the caller does not see is one.
 */
export async function readAreaUses(tx: Tx, areaId: number): Promise<Uses['list']> {
  const { rows: tables } = await nameRow.select`
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'area_id' and not a.attisdropped
    where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
      and c.relname <> all (${unasked}::text[])
    order by c.relname`.execute(tx)
  const parts = tables.map(({ name }) => {
    const known = counted[name]
    if (known === undefined) return recordsOf(name, areaId, 'true')
    const count = sql`
      select ${known.use} as kind, count(*) as count from ${sql.table(name)}
      where area_id = ${areaId} and ${sql.raw(known.condition)}`
    const over = past[name]
    return over === undefined ? count : sql`${count} union all ${recordsOf(name, areaId, over)}`
  })
  const { rows } = await kindRow.select`
    from (${sql.join(parts, sql` union all `)}) as use
    group by kind having sum(count) > 0`.execute(tx)
  const order = Object.keys(useLabels)
  return rows.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
}

function recordsOf(table: string, areaId: number, condition: string) {
  return sql`
    select 'records' as kind, exists (
      select from ${sql.table(table)} where area_id = ${areaId} and ${sql.raw(condition)}
    )::int::bigint as count`
}

/** 车辆 3、人员 1 */
export function usesText(list: Uses['list']): string {
  return list
    .map(({ kind, count }) => (kind === 'records' ? useLabels[kind] : `${useLabels[kind]} ${count}`))
    .join('、')
}
