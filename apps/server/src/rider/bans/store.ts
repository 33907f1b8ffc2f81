import { sql } from 'kysely'
import { banList, banStates, type Ban } from '@saddle/contract/rider/bans.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { spanOf, tableList } from '#kit/list/tableList.ts'
import { personColumns, type OfRiders } from '../parts/rider.ts'

const ban = rowOf('rider_ban', 'b', [
  'id',
  'rider_id',
  'reason',
  'begun_at',
  'until',
  'operator_name as by',
  'lifted_at',
  'lifted_by',
  'lift_reason',
])
type BanRow = RowOf<typeof ban>

export const banRows = tableList(banList, {
  table: 'rider_ban',
  alias: 'b',
  tenant: 'agent',
  columns: rowsOf(ban, personColumns),
  joins: sql`join rider r on r.id = b.rider_id join agent on agent.id = b.agent_id`,
  sorts: { begun: ['begun_at', 'instant'] },
  find: ({ states = banStates, ...span }, { riderIds }: OfRiders) => ({
    runs: { column: 'is_over', type: 'boolean', values: states.map((state) => state === 'over') },
    narrowed: [riderIds && sql`b.rider_id = any (${riderIds}::bigint[])`],
    where: spanOf('b.begun_at', span),
  }),
})

const riderKey = rowOf('rider', 'r', ['id', 'agent_id'])

const bansOfRiderMax = 50

/** Of one rider that was looked up within the scope. */
export function selectBansOf({ id, agent_id }: { id: number; agent_id: number }) {
  return ban.select`
    from rider_ban b where b.rider_id = ${id} and b.agent_id = ${agent_id}
    order by b.begun_at desc, b.id desc limit ${bansOfRiderMax}`
}

/** What has run out counts as over from that moment, even before somebody writes it down. */
export function banOf(row: BanRow, nowMs: number): Ban {
  const hasRunOut = row.lifted_at === null && row.until !== null && row.until.getTime() <= nowMs
  return {
    ...ban.present(row),
    state: row.lifted_at !== null || hasRunOut ? 'over' : 'active',
    liftedAt: (hasRunOut ? row.until : row.lifted_at)?.getTime() ?? null,
  }
}

/** The riders of the scope that are to be banned, locked, in the order of their ids. */
export async function lockRiders(tx: Tx, { riderIds, scope }: { riderIds: readonly number[]; scope: Scope }) {
  const { rows } = await riderKey.select`
    from rider r
    where r.id = any (${riderIds}::bigint[]) and r.agent_id = any (${scope.agentIds}::bigint[])
    order by r.agent_id, r.id for update`.execute(tx)
  return rows
}

/** Bans a rider who is not banned; an old ban whose term is over is closed first. Resolves to whether it did. */
export async function insertBan(
  tx: Tx,
  ban: {
    readonly rider: { readonly id: number; readonly agent_id: number }
    readonly reason: string
    readonly at: Date
    readonly until: Date | null
    readonly operatorId: number | null
    readonly operatorName: string
  },
): Promise<boolean> {
  const { rider, at } = ban
  await sql`
    update rider_ban set lifted_at = until where rider_id = ${rider.id} and agent_id = ${rider.agent_id}
      and lifted_at is null and until <= ${at}`.execute(tx)
  const { rows } = await sql`
    insert into rider_ban (agent_id, rider_id, reason, begun_at, until, operator_id, operator_name)
    values (${rider.agent_id}, ${rider.id}, ${ban.reason}, ${at}, ${ban.until}, ${ban.operatorId}, ${ban.operatorName})
    on conflict do nothing returning id`.execute(tx)
  if (rows.length === 0) return false
  await sql`update rider set banned = true where id = ${rider.id} and agent_id = ${rider.agent_id}`.execute(tx)
  return true
}

/** Lifts the rider's ban and says what it was; undefined where none is in force. */
export async function liftBan(
  tx: Tx,
  lift: {
    readonly rider: { readonly id: number; readonly agent_id: number }
    readonly at: Date
    readonly operatorId: number
    readonly operatorName: string
    readonly reason: string
  },
): Promise<BanRow | undefined> {
  const { rider } = lift
  const { rows } = await ban.returning`
    update rider_ban b set lifted_at = ${lift.at}, lifted_by_id = ${lift.operatorId}, lifted_by = ${lift.operatorName},
      lift_reason = ${lift.reason}
    where b.rider_id = ${rider.id} and b.agent_id = ${rider.agent_id} and b.lifted_at is null
      and (b.until is null or b.until > ${lift.at})`.execute(tx)
  await sql`update rider set banned = false where id = ${rider.id} and agent_id = ${rider.agent_id}`.execute(tx)
  return rows[0]
}

const expiredPerTurn = 1_000

/** Closes bans whose term is over. Resolves to their number. */
export async function closeBans(tx: Tx, now: Date): Promise<number> {
  const { rows } = await sql`
    with over as (
      select id, rider_id from rider_ban where lifted_at is null and until <= ${now}
      order by until limit ${expiredPerTurn} for update skip locked
    ),
    closed as (update rider_ban b set lifted_at = b.until from over where b.id = over.id returning b.rider_id)
    update rider r set banned = false from closed where r.id = closed.rider_id returning r.id`.execute(tx)
  return rows.length
}
