import { sql, type RawBuilder } from 'kysely'
import type { DepositSetting } from '@saddle/contract/finance/deposits.ts'
import { businessDayOf } from '@saddle/contract/time.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Who } from '../wallet/who.ts'

const settingsMax = 2_000
const historyMax = 100

const inScope = (scope: Scope): RawBuilder<boolean> => sql`(s.agent_id = any (${scope.agentIds}::bigint[])
  and (s.area_id is null or s.area_id = any (${scope.areaIds}::bigint[])))`

const settingRow = rowsOf(
  rowOf('deposit_setting', 's', [
    'agent_id',
    'area_id',
    'cents',
    'free_students',
    'free_card_holders',
    'author_name',
    'created_at',
  ]),
  rowOf('agent', 'a', ['company']),
  rowOf('service_area', 'r', ['name as area_name']).optional(),
)
const tables = sql`join agent a on a.id = s.agent_id left join service_area r on r.id = s.area_id`

/** The setting in force of each area of the scope that has one, and of the franchisees. */
export function selectSettings(scope: Scope) {
  return settingRow.select`
    from (
      select distinct on (s.agent_id, s.area_id) s.* from deposit_setting s
      where ${inScope(scope)} order by s.agent_id, s.area_id, s.id desc
    ) s ${tables} order by s.agent_id, s.area_id nulls first limit ${settingsMax}`
}

export function selectSettingHistory(scope: Scope) {
  return settingRow.select`
    from deposit_setting s ${tables}
    where ${inScope(scope)} order by s.id desc limit ${historyMax}`
}

export const settingOf = (row: RowOf<typeof settingRow>): DepositSetting => settingRow.present(row)

const serviceAreaRow = rowOf('service_area', 'r', ['id', 'agent_id', 'name'])

export function selectAreas(scope: Scope, areaIds: readonly number[]) {
  return serviceAreaRow.select`
    from service_area r
    where r.id = any (${areaIds}::bigint[]) and r.id = any (${scope.areaIds}::bigint[])
      and r.agent_id = any (${scope.agentIds}::bigint[])
    order by r.agent_id, r.id`
}

export async function insertSetting(
  tx: Tx,
  setting: {
    agentId: number
    areaId: number | null
    cents: number
    freeStudents: boolean
    freeCardHolders: boolean
    authorId: number | null
    authorName: string
    at: Date
  },
): Promise<void> {
  await tx
    .insertInto('deposit_setting')
    .values({
      agent_id: setting.agentId,
      area_id: setting.areaId,
      cents: setting.cents,
      free_students: setting.freeStudents,
      free_card_holders: setting.freeCardHolders,
      author_id: setting.authorId,
      author_name: setting.authorName,
      created_at: setting.at,
    })
    .execute()
}

export type DepositNeed = { readonly askedCents: number; readonly heldCents: number; readonly missingCents: number }

/** What the need of a rider follows from; a frozen part counts as held: it was paid. */
const needColumns = ({ agentId, riderId }: Who, today: string) =>
  rowsOf(
    rowOf('deposit_setting', 's', ['cents', 'free_students', 'free_card_holders']),
    rowOfValues({
      is_student: computed(
        'boolean',
        sql`exists (select from rider r where r.id = ${riderId} and r.certificate_kind = 'student')`,
      ),
      has_card: computed(
        'boolean',
        sql`exists (
          select from rider_card c where c.rider_id = ${riderId} and c.state = 'active' and c.kind = 'riding'
            and c.begins_on <= ${today}::date and c.ends_on > ${today}::date)`,
      ),
      held_cents: computed(
        'bigint',
        sql`(select coalesce(sum(d.cents - d.recovered_cents - d.refunded_cents), 0) from rider_deposit d
          where d.rider_id = ${riderId} and d.agent_id = ${agentId})`,
      ),
    }),
  )

/** What a rider must have deposited to ride in an area, and has. */
export function selectNeed(who: Who & { readonly areaId: number }, nowMs: number) {
  return needColumns(who, businessDayOf(nowMs)).select`
    from deposit_setting s
    where s.agent_id = ${who.agentId} and (s.area_id = ${who.areaId} or s.area_id is null)
    order by s.area_id nulls last, s.id desc limit 1`
}

export function needOf(row: RowOf<ReturnType<typeof needColumns>> | undefined): DepositNeed {
  if (row === undefined) return { askedCents: 0, heldCents: 0, missingCents: 0 }
  const isFree = (row.free_students && row.is_student) || (row.free_card_holders && row.has_card)
  const askedCents = isFree ? 0 : row.cents
  return { askedCents, heldCents: row.held_cents, missingCents: Math.max(0, askedCents - row.held_cents) }
}
