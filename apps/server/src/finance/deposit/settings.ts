import { sql, type RawBuilder } from 'kysely'
import type { DepositSetting } from '@saddle/contract/finance/deposits.ts'
import { businessDayOf } from '@saddle/contract/time.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Who } from '../wallet/who.ts'

export type SettingRow = {
  agent_id: number
  company: string
  area_id: number | null
  area_name: string | null
  cents: number
  free_students: boolean
  free_card_holders: boolean
  author_name: string
  created_at: Date
}

const settingsMax = 2_000
const historyMax = 100

const inScope = (scope: Scope): RawBuilder<boolean> => sql`(s.agent_id = any (${scope.agentIds}::bigint[])
  and (s.area_id is null or s.area_id = any (${scope.areaIds}::bigint[])))`

const columns = sql`s.agent_id, a.company, s.area_id, r.name as area_name, s.cents, s.free_students, s.free_card_holders,
  s.author_name, s.created_at`
const tables = sql`join agent a on a.id = s.agent_id left join service_area r on r.id = s.area_id`

/** The setting in force of each area of the scope that has one, and of the franchisees. */
export function selectSettings(scope: Scope): RawBuilder<SettingRow> {
  return sql<SettingRow>`
    select ${columns} from (
      select distinct on (s.agent_id, s.area_id) s.* from deposit_setting s
      where ${inScope(scope)} order by s.agent_id, s.area_id, s.id desc
    ) s ${tables} order by s.agent_id, s.area_id nulls first limit ${settingsMax}`
}

export function selectSettingHistory(scope: Scope): RawBuilder<SettingRow> {
  return sql<SettingRow>`
    select ${columns} from deposit_setting s ${tables}
    where ${inScope(scope)} order by s.id desc limit ${historyMax}`
}

export const settingOf = (row: SettingRow): DepositSetting => ({
  agentId: row.agent_id,
  company: row.company,
  areaId: row.area_id,
  areaName: row.area_name,
  cents: row.cents,
  freeStudents: row.free_students,
  freeCardHolders: row.free_card_holders,
  authorName: row.author_name,
  createdAt: row.created_at.getTime(),
})

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

type NeedRow = {
  cents: number
  free_students: boolean
  free_card_holders: boolean
  is_student: boolean
  has_card: boolean
  held_cents: number
}

/** What a rider must have deposited to ride in an area, and has. A frozen part counts: it was paid. */
export function selectNeed(who: Who & { readonly areaId: number }, nowMs: number): RawBuilder<NeedRow> {
  const { agentId, riderId, areaId } = who
  const today = businessDayOf(nowMs)
  return sql<NeedRow>`
    select s.cents, s.free_students, s.free_card_holders,
      exists (select from rider r where r.id = ${riderId} and r.certificate_kind = 'student') as is_student,
      exists (
        select from rider_card c where c.rider_id = ${riderId} and c.state = 'active' and c.kind = 'riding'
          and c.begins_on <= ${today}::date and c.ends_on > ${today}::date
      ) as has_card,
      (select coalesce(sum(d.cents - d.recovered_cents - d.refunded_cents), 0)::bigint from rider_deposit d
        where d.rider_id = ${riderId} and d.agent_id = ${agentId}) as held_cents
    from deposit_setting s
    where s.agent_id = ${agentId} and (s.area_id = ${areaId} or s.area_id is null)
    order by s.area_id nulls last, s.id desc limit 1`
}

export function needOf(row: NeedRow | undefined): DepositNeed {
  if (row === undefined) return { askedCents: 0, heldCents: 0, missingCents: 0 }
  const isFree = (row.free_students && row.is_student) || (row.free_card_holders && row.has_card)
  const askedCents = isFree ? 0 : row.cents
  return { askedCents, heldCents: row.held_cents, missingCents: Math.max(0, askedCents - row.held_cents) }
}
