import { sql, type RawBuilder } from 'kysely'
import type { DepositArea, DepositExemption, DepositSetting } from '@saddle/contract/finance/depositSettings.ts'
import { businessDayOf } from '@saddle/contract/time.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, countRow, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Who } from '../wallet/who.ts'
import { exemptionOf } from './rules.ts'

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
    'free_professions',
    'free_card_holders',
    'free_product_ids',
    'inherits',
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

/** What held in an area of the scope, with the settings of its company. */
export function selectHistoryOf(scope: Scope, areaId: number) {
  return settingRow.select`
    from deposit_setting s ${tables}
    where ${inScope(scope)} and (s.area_id = ${areaId} or s.area_id is null)
      and s.agent_id = (select o.agent_id from service_area o where o.id = ${areaId})
    order by s.id desc limit ${historyMax}`
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
    freeProfessions: boolean
    freeCardHolders: boolean
    freeProductIds: readonly number[]
    inherits: boolean
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
      free_professions: setting.freeProfessions,
      free_card_holders: setting.freeCardHolders,
      free_product_ids: [...setting.freeProductIds],
      inherits: setting.inherits,
      author_id: setting.authorId,
      author_name: setting.authorName,
      created_at: setting.at,
    })
    .execute()
}

/** The setting in force of an area: its own, or else its company's. */
const inForce = ({ agentId, areaId }: { agentId: RawBuilder<unknown>; areaId: RawBuilder<unknown> }) => sql`(
  select coalesce(
    (select case when x.inherits then null else x.id end from (
      select o.id, o.inherits from deposit_setting o where o.agent_id = ${agentId} and o.area_id = ${areaId}
      order by o.id desc limit 1
    ) x),
    (select o.id from deposit_setting o where o.agent_id = ${agentId} and o.area_id is null order by o.id desc limit 1)
  ))`

const areaRow = rowsOf(
  rowOf('service_area', 'r', ['id as area_id', 'name as area_name', 'agent_id']),
  rowOf('agent', 'a', ['company']),
  rowOf('deposit_setting', 's', [
    'area_id as own_area_id',
    'cents',
    'free_students',
    'free_professions',
    'free_card_holders',
    'free_product_ids',
    'author_name',
    'created_at',
  ]).optional(),
)

/** Every area of the scope with the setting in force. */
export function selectAreaSettings(scope: Scope) {
  return areaRow.select`
    from service_area r
    join agent a on a.id = r.agent_id
    left join deposit_setting s on s.id = ${inForce({ agentId: sql`r.agent_id`, areaId: sql`r.id` })}
    where r.id = any (${scope.areaIds}::bigint[]) and r.agent_id = any (${scope.agentIds}::bigint[])
    order by r.name, r.id limit ${settingsMax}`
}

export function areaSettingOf(row: RowOf<typeof areaRow>): DepositArea {
  return {
    areaId: row.area_id,
    areaName: row.area_name,
    agentId: row.agent_id,
    company: row.company,
    source: row.created_at === null ? 'none' : row.own_area_id === null ? 'company' : 'area',
    cents: row.cents ?? 0,
    freeStudents: row.free_students ?? false,
    freeProfessions: row.free_professions ?? false,
    freeCardHolders: row.free_card_holders ?? false,
    freeProductIds: row.free_product_ids ?? [],
    authorName: row.author_name,
    createdAt: row.created_at?.getTime() ?? null,
  }
}

/** Areas of a company that a scope does not hold; read without the scope, whose policy would hide them. */
export function selectForeignAreas(scope: Scope, agentId: number) {
  return countRow.select`
    from service_area where agent_id = ${agentId} and not id = any (${scope.areaIds}::bigint[])`
}

/** How many of the products are the company's. */
export async function countProducts(tx: Tx, agentId: number, ids: readonly number[]): Promise<number> {
  const { rows } = await countRow.select`
    from card_product where agent_id = ${agentId} and id = any (${ids}::bigint[])`.execute(tx)
  return rows[0]?.count ?? 0
}

export type DepositNeed = {
  readonly askedCents: number
  readonly heldCents: number
  readonly missingCents: number
  readonly freeBy: DepositExemption | null
}

/** Cards that hold on a day for the rider of an expression. */
const cardsOf = (riderId: RawBuilder<unknown>, today: string, only: RawBuilder<unknown>) => sql`coalesce((
  select array_agg(c.product_id) from rider_card c
  where c.rider_id = ${riderId} and c.state = 'active' and c.begins_on <= ${today}::date and c.ends_on > ${today}::date
    and (c.rides is null or c.ridden < c.rides) and ${only}), '{}')`

/** What the need of a rider follows from; a frozen part counts as held: it was paid. */
export const factColumns = (rider: { agentId: RawBuilder<unknown>; riderId: RawBuilder<unknown> }, today: string) =>
  rowOfValues({
    certificate_kind: computed('text?', sql`(select r.certificate_kind from rider r where r.id = ${rider.riderId})`),
    product_ids: computed('bigint[]', cardsOf(rider.riderId, today, sql`true`)),
    riding_product_ids: computed('bigint[]', cardsOf(rider.riderId, today, sql`c.kind = 'riding'`)),
    held_cents: computed(
      'bigint',
      sql`(select coalesce(sum(d.cents - d.recovered_cents - d.refunded_cents), 0) from rider_deposit d
        where d.rider_id = ${rider.riderId} and d.agent_id = ${rider.agentId})`,
    ),
  })

const termColumns = rowOf('deposit_setting', 's', [
  'cents',
  'free_students',
  'free_professions',
  'free_card_holders',
  'free_product_ids',
])

const needColumns = ({ agentId, riderId }: Who, today: string) =>
  rowsOf(termColumns, factColumns({ agentId: sql`${agentId}`, riderId: sql`${riderId}` }, today))

/** What a rider must have deposited to ride in an area, and has. */
export function selectNeed(who: Who & { readonly areaId: number }, nowMs: number) {
  const { agentId, areaId } = who
  return needColumns(who, businessDayOf(nowMs)).select`
    from deposit_setting s where s.id = ${inForce({ agentId: sql`${agentId}::bigint`, areaId: sql`${areaId}::bigint` })}`
}

export function needOf(row: RowOf<ReturnType<typeof needColumns>> | undefined): DepositNeed {
  if (row === undefined) return { askedCents: 0, heldCents: 0, missingCents: 0, freeBy: null }
  const freeBy = row.cents === 0 ? null : exemptionOf(row, row)
  const askedCents = freeBy === null ? row.cents : 0
  return { askedCents, heldCents: row.held_cents, missingCents: Math.max(0, askedCents - row.held_cents), freeBy }
}
