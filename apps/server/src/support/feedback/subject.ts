import { sql, type RawBuilder } from 'kysely'
import { AppError } from '@saddle/contract/errors.ts'
import {
  feedbackSubjectKinds,
  feedbackSubjectPermissions,
  feedbackSubjectsMax,
  type FeedbackSubject,
  type FeedbackSubjectKind,
} from '@saddle/contract/support/feedback.ts'
import type { Kit } from '#kit/kit.ts'
import type { SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { orderNumber, readOrderNumber } from '#riding/public.ts'
import { ticketNumber } from '../tickets/rules.ts'
import type { FeedbackRow } from './store.ts'

/** Whether the caller may open things of this kind. */
export const mayName = (kind: FeedbackSubjectKind, { caller }: Pick<SessionCall, 'caller'>): boolean =>
  feedbackSubjectPermissions[kind].some((code) => caller.permissions.has(code))

const inScope = (scope: Scope, alias: string): RawBuilder<unknown> => sql`
  ${sql.ref(`${alias}.agent_id`)} = any (${scope.agentIds}::bigint[])
  and ${sql.ref(`${alias}.area_id`)} = any (${scope.areaIds}::bigint[])`

const vehicleRow = rowOf('vehicle', 'v', ['id', 'number', 'agent_id', 'area_id'])
const orderRow = rowOf('ride_order', 'o', ['id', 'placed_at', 'agent_id', 'area_id'])
const serviceBillRow = rowsOf(
  rowOf('service_bill', 'b', ['id', 'number', 'agent_id']),
  rowOfValues({ area_id: computed('bigint?', sql`null`) }),
)
const splitBillRow = rowOf('split_bill', 's', ['id', 'agent_id', 'area_id'])

/** A beginning of a number, in which nothing stands for anything else. */
const start = (word: string): string => `${word.toUpperCase().replaceAll(/[\\%_]/g, '\\$&')}%`

const isOrderNumber = /^\d{16}$/

interface Found extends FeedbackSubject {
  readonly agentId: number
  readonly areaId: number | null
}
type Run = <R>(statement: RawBuilder<R>) => Promise<readonly R[]>
/** One by its id, or those whose number begins so. */
type Which = { readonly id: number } | { readonly word: string }

interface Asked {
  readonly kind: FeedbackSubjectKind
  readonly which: Which
  readonly scope: Scope
}

/** Things of this kind in the scope; orders also by the number of their vehicle, the latest first. */
async function find(run: Run, { kind, which, scope }: Asked): Promise<Found[]> {
  const limit = sql`limit ${feedbackSubjectsMax}`
  if (kind === 'vehicle') {
    const isIt = 'id' in which ? sql`v.id = ${which.id}` : sql`v.number like ${start(which.word)}`
    const rows = await run(
      vehicleRow.select`from vehicle v where ${isIt} and ${inScope(scope, 'v')} order by v.number ${limit}`,
    )
    return rows.map((row) => foundOf(kind, row, row.number))
  }
  if (kind === 'order') {
    const isIt = 'id' in which ? sql`o.id = ${which.id}` : isOrder(which.word)
    const rows = await run(
      orderRow.select`
        from ride_order o where ${isIt} and ${inScope(scope, 'o')} order by o.placed_at desc, o.id desc ${limit}`,
    )
    return rows.map((row) => foundOf(kind, row, orderNumber({ id: row.id, placedAt: row.placed_at.getTime() })))
  }
  if (kind === 'service_bill') {
    const isIt = 'id' in which ? sql`b.id = ${which.id}` : sql`b.number like ${start(which.word)}`
    const rows = await run(
      serviceBillRow.select`
        from service_bill b where ${isIt} and b.agent_id = any (${scope.agentIds}::bigint[])
        order by b.month desc, b.id desc ${limit}`,
    )
    return rows.map((row) => foundOf(kind, row, row.number))
  }
  const isIt = 'id' in which ? sql`s.id = ${which.id}` : sql`'FZ' || s.id like ${start(which.word)}`
  const rows = await run(
    splitBillRow.select`
      from split_bill s where ${isIt} and s.agent_id = any (${scope.agentIds}::bigint[])
        and (s.area_id is null or s.area_id = any (${scope.areaIds}::bigint[])) order by s.id desc ${limit}`,
  )
  return rows.map((row) => foundOf(kind, row, `FZ${row.id}`))
}

const foundOf = (
  kind: FeedbackSubjectKind,
  { id, agent_id, area_id }: { readonly id: number; readonly agent_id: number; readonly area_id: number | null },
  number: string,
): Found => ({ kind, id, number, agentId: agent_id, areaId: area_id })

function isOrder(word: string): RawBuilder<unknown> {
  const named = isOrderNumber.test(word) ? readOrderNumber(word) : null
  if (named === null) return sql`o.vehicle_number = ${word.toUpperCase()}`
  return sql`o.id = ${named.id} and o.placed_at >= ${new Date(named.from)} and o.placed_at < ${new Date(named.to)}`
}

const reads =
  ({ db }: Pick<Kit, 'db'>, scope: Scope): Run =>
  (statement) =>
    db.read(scope, (k) => statement.compile(k))

const shown = ({ kind, id, number }: Found): FeedbackSubject => ({ kind, id, number })

export async function findSubjects(
  kit: Pick<Kit, 'db'>,
  { kind, word, scope }: { readonly kind: FeedbackSubjectKind; readonly word: string; readonly scope: Scope },
): Promise<FeedbackSubject[]> {
  return (await find(reads(kit, scope), { kind, which: { word }, scope })).map(shown)
}

/** Whose ticket it becomes, and the columns that name what it is about. */
export interface Subject {
  readonly agentId: number
  readonly areaId: number | null
  readonly columns: {
    readonly vehicleId?: number
    readonly orderId?: number
    readonly serviceBillId?: number
    readonly splitBillId?: number
  }
}

/** The thing of the scope. Throws not_found. */
export async function readSubject(
  tx: Tx,
  { kind, id, scope }: { readonly kind: FeedbackSubjectKind; readonly id: number; readonly scope: Scope },
): Promise<Subject> {
  const [found] = await find(async (statement) => (await statement.execute(tx)).rows, { kind, which: { id }, scope })
  if (found === undefined) throw new AppError('not_found')
  const names = {
    vehicle: { vehicleId: id },
    order: { orderId: id },
    service_bill: { serviceBillId: id },
    split_bill: { splitBillId: id },
  } as const
  return { agentId: found.agentId, areaId: found.areaId, columns: names[kind] }
}

const riderTicketRow = rowOf('ticket', 'c', ['id', 'agent_id', 'area_id', 'order_id', 'vehicle_id', 'opened_at'])

const ticketInScope = (scope: Scope): RawBuilder<unknown> => sql`
  c.agent_id = any (${scope.agentIds}::bigint[])
  and (c.area_id is null or c.area_id = any (${scope.areaIds}::bigint[]))`

/** A rider's ticket of the scope as a subject: its own order, else its vehicle. Throws not_found. */
export async function subjectOfTicket(
  tx: Tx,
  { ticketId, scope }: { readonly ticketId: number; readonly scope: Scope },
): Promise<Subject> {
  const { rows } = await riderTicketRow.select`
    from ticket c where c.id = ${ticketId} and ${ticketInScope(scope)}`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new AppError('not_found')
  const { order_id: orderId, vehicle_id: vehicleId } = row
  const columns = orderId !== null ? { orderId } : vehicleId !== null ? { vehicleId } : {}
  return { agentId: row.agent_id, areaId: row.area_id, columns }
}

/** What a ticket is about, as far as the caller may open it. */
export async function shownSubject(
  kit: Pick<Kit, 'db'>,
  row: FeedbackRow,
  { scope, caller }: Pick<SessionCall, 'scope' | 'caller'>,
): Promise<FeedbackSubject | null> {
  const ids = {
    order: row.order_id,
    vehicle: row.vehicle_id,
    service_bill: row.service_bill_id,
    split_bill: row.split_bill_id,
  } as const satisfies Record<FeedbackSubjectKind, unknown>
  const kind = feedbackSubjectKinds.find((one) => ids[one] !== null)
  const id = kind === undefined ? null : ids[kind]
  if (kind === undefined || id === null || !mayName(kind, { caller })) return null
  const [found] = await find(reads(kit, scope), { kind, which: { id }, scope })
  return found === undefined ? null : shown(found)
}

/** The rider's ticket that it was made of, for those who work on these. */
export async function shownRiderTicket(
  { db }: Pick<Kit, 'db'>,
  row: FeedbackRow,
  { scope, caller }: Pick<SessionCall, 'scope' | 'caller'>,
): Promise<{ readonly id: number; readonly number: string } | null> {
  const { ticket_id: ticketId } = row
  if (ticketId === null || !caller.permissions.has('0401')) return null
  const [found] = await db.read(scope, (k) =>
    riderTicketRow.select`from ticket c where c.id = ${ticketId} and ${ticketInScope(scope)}`.compile(k),
  )
  if (found === undefined) return null
  return { id: found.id, number: ticketNumber({ id: found.id, openedAt: found.opened_at.getTime() }) }
}
