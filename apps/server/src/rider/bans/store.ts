import { sql } from 'kysely'
import { banStates, type Ban, type BanFilter, type BanState } from '@saddle/contract/rider/bans.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Scope } from '#kit/db/scope.ts'
import { countOf, orderOf, pageOf, type Asked, type Listed } from '../parts/runs.ts'

export type BanRow = {
  id: number
  rider_id: number
  reason: string
  begun_at: Date
  until: Date | null
  operator_name: string
  lifted_at: Date | null
  lifted_by: string | null
  lift_reason: string
}

export type ListedBanRow = BanRow & {
  agent_id: number
  company: string
  phone_hash: string
  phone_sealed: string
  name_sealed: string | null
}

const columns = sql`b.id, b.rider_id, b.reason, b.begun_at, b.until, b.operator_name, b.lifted_at, b.lifted_by,
  b.lift_reason`

const isOver: Readonly<Record<BanState, boolean>> = { active: false, over: true }

const listedOf = ({ states = [...banStates] }: BanFilter): Listed => ({
  table: 'rider_ban',
  at: 'begun_at',
  by: {
    column: 'is_over',
    type: 'boolean',
    values: banStates.filter((state) => states.includes(state)).map((state) => isOver[state]),
  },
  riderId: 'rider_id',
})

export function selectBans(filter: BanFilter, asked: Asked) {
  return sql<ListedBanRow>`
    select ${columns}, b.agent_id, agent.company, r.phone_hash, r.phone_sealed, r.name_sealed
    from ${pageOf(listedOf(filter), asked)} join rider_ban b on b.id = p.id
    join rider r on r.id = b.rider_id join agent on agent.id = b.agent_id
    order by ${orderOf(asked)}`
}

export const countBans = (filter: BanFilter, asked: Asked) => countOf(listedOf(filter), asked)

const bansOfRiderMax = 50

/** Of one rider that was looked up within the scope. */
export function selectBansOf({ id, agent_id }: { id: number; agent_id: number }) {
  return sql<BanRow>`
    select ${columns} from rider_ban b where b.rider_id = ${id} and b.agent_id = ${agent_id}
    order by b.begun_at desc, b.id desc limit ${bansOfRiderMax}`
}

/** What has run out counts as over from that moment, even before somebody writes it down. */
export function banOf(row: BanRow, nowMs: number): Ban {
  const hasRunOut = row.lifted_at === null && row.until !== null && row.until.getTime() <= nowMs
  return {
    id: row.id,
    riderId: row.rider_id,
    reason: row.reason,
    begunAt: row.begun_at.getTime(),
    until: row.until?.getTime() ?? null,
    by: row.operator_name,
    state: row.lifted_at !== null || hasRunOut ? 'over' : 'active',
    liftedAt: (hasRunOut ? row.until : row.lifted_at)?.getTime() ?? null,
    liftedBy: row.lifted_by,
    liftReason: row.lift_reason,
  }
}

/** The riders of the scope that are to be banned, locked, in the order of their ids. */
export async function lockRiders(tx: Tx, { riderIds, scope }: { riderIds: readonly number[]; scope: Scope }) {
  const { rows } = await sql<{ id: number; agent_id: number }>`
    select r.id, r.agent_id from rider r
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
  const { rows } = await sql<BanRow>`
    update rider_ban b set lifted_at = ${lift.at}, lifted_by_id = ${lift.operatorId}, lifted_by = ${lift.operatorName},
      lift_reason = ${lift.reason}
    where b.rider_id = ${rider.id} and b.agent_id = ${rider.agent_id} and b.lifted_at is null
      and (b.until is null or b.until > ${lift.at})
    returning ${columns}`.execute(tx)
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
