import { sql, type RawBuilder } from 'kysely'
import {
  complaintCountMax,
  type ComplaintFilter,
  type ComplaintKind,
  type ComplaintSort,
  type ComplaintState,
  type ComplaintStep,
} from '@saddle/contract/support/complaints.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, countRow, rowOf, rowOfValues, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { ComplaintCursor } from './rules.ts'

export type ComplaintRow = {
  id: number
  agent_id: number
  company: string
  area_id: number | null
  area_name: string | null
  kind: string
  state: string
  source: string
  rider_id: number | null
  phone_sealed: string | null
  phone_hash: string | null
  order_id: number | null
  vehicle_number: string | null
  text: string
  photo_ids: string[]
  opened_at: Date
  due_at: Date
  changed_at: Date
  assignee_id: number | null
  assignee_name: string | null
  finding: string | null
  resolved_at: Date | null
  rating: number | null
  reopened_count: number
  is_done: boolean
}

const columns = sql`c.id, c.agent_id, agent.company, c.area_id, service_area.name as area_name, c.kind, c.state, c.source,
  c.rider_id, rider.phone_sealed, rider.phone_hash, c.order_id, c.vehicle_number, c.text, c.photo_ids, c.opened_at,
  c.due_at, c.changed_at, c.assignee_id, c.assignee_name, c.finding, c.resolved_at, c.rating, c.reopened_count, c.is_done`
const names = sql`join agent on agent.id = c.agent_id left join service_area on service_area.id = c.area_id
  left join rider on rider.id = c.rider_id`

/** A ticket is visible with its subject. A ticket without an area is about a rider alone and belongs to the company. */
const inScope = (scope: Scope, alias = 'c'): RawBuilder<unknown> => sql`(
  ${sql.ref(`${alias}.agent_id`)} = any (${scope.agentIds}::bigint[])
  and (${sql.ref(`${alias}.area_id`)} is null or ${sql.ref(`${alias}.area_id`)} = any (${scope.areaIds}::bigint[])))`

export type ComplaintSearch = {
  readonly scope: Scope
  readonly filter: ComplaintFilter
  /** The rider of the filter's phone; absent: no phone in the filter. */
  readonly riderIds?: readonly number[] | undefined
  readonly id?: number | undefined
  readonly operatorId: number
  readonly now: Date
}

function conditions({ scope, filter, riderIds, id, operatorId, now }: ComplaintSearch): RawBuilder<unknown>[] {
  const { vehicleNumber, riderId, orderId, kinds, states, areaIds, who, assigneeId, overdue, from, to } = filter
  const asked: (RawBuilder<unknown> | false)[] = [
    inScope(scope),
    id !== undefined && sql`c.id = ${id}`,
    riderIds !== undefined && sql`c.rider_id = any (${riderIds}::bigint[])`,
    riderId !== undefined && sql`c.rider_id = ${riderId}`,
    orderId !== undefined && sql`c.order_id = ${orderId}`,
    vehicleNumber !== undefined && sql`c.vehicle_number = ${vehicleNumber.toUpperCase()}`,
    kinds !== undefined && sql`c.kind = any (${kinds}::text[])`,
    states !== undefined && sql`c.state = any (${states}::text[])`,
    areaIds !== undefined && sql`c.area_id = any (${areaIds}::bigint[])`,
    who === 'mine' && sql`c.assignee_id = ${operatorId}`,
    who === 'nobody' && sql`c.assignee_id is null and not c.is_done`,
    assigneeId !== undefined && sql`c.assignee_id = ${assigneeId}`,
    overdue === true && sql`not c.is_done and c.due_at < ${now}`,
    from !== undefined && sql`c.opened_at >= ${new Date(from)}`,
    to !== undefined && sql`c.opened_at < ${new Date(to)}`,
  ]
  return asked.filter((condition) => condition !== false)
}

export function selectComplaints(
  search: ComplaintSearch & {
    readonly sort: ComplaintSort
    readonly after: ComplaintCursor | null
    readonly limit: number
  },
) {
  const { sort, after, limit } = search
  const asked = conditions(search)
  if (after !== null) {
    const at = new Date(after.at)
    asked.push(
      sort === 'due'
        ? sql`(c.is_done, c.due_at, c.id) > (${after.isDone}, ${at}, ${after.id})`
        : sql`(c.opened_at, c.id) < (${at}, ${after.id})`,
    )
  }
  const order = sort === 'due' ? sql`c.is_done, c.due_at, c.id` : sql`c.opened_at desc, c.id desc`
  return sql<ComplaintRow>`
    select ${columns} from (
      select c.* from ticket c where ${sql.join(asked, sql` and `)} order by ${order} limit ${limit}
    ) c ${names} order by ${order}`
}

/** Counts matches, up to one more than is shown. */
export function countComplaints(search: ComplaintSearch) {
  return countRow.select`
    from (
      select from ticket c where ${sql.join(conditions(search), sql` and `)} limit ${complaintCountMax + 1}) f`
}

export type CountersRow = {
  open: number
  in_work: number
  overdue: number
  mine: number
  nobody: number
  resolved: number
}

/** Counts open tickets within the scope, including answered ones that the rider may still reopen. */
export function countWaiting({ scope, operatorId, now }: Omit<ComplaintSearch, 'filter'>) {
  return sql<CountersRow>`
    select count(*) filter (where c.state = 'open') as open, count(*) filter (where c.state = 'in_work') as in_work,
      count(*) filter (where not c.is_done and c.due_at < ${now}) as overdue,
      count(*) filter (where not c.is_done and c.assignee_id = ${operatorId}) as mine,
      count(*) filter (where not c.is_done and c.assignee_id is null) as nobody,
      count(*) filter (where c.state = 'resolved') as resolved
    from ticket c where c.state <> 'closed' and ${inScope(scope)}`
}

export function selectComplaint({ id, scope }: { id: number; scope: Scope }) {
  return sql<ComplaintRow>`select ${columns} from ticket c ${names} where c.id = ${id} and ${inScope(scope)}`
}

/** The ticket of the scope, locked until the end of the transaction. */
export async function lockComplaint(
  tx: Tx,
  { id, scope }: { id: number; scope: Scope },
): Promise<ComplaintRow | undefined> {
  const { rows } = await sql`
    select c.id from ticket c where c.id = ${id} and ${inScope(scope)} for update`.execute(tx)
  if (rows.length === 0) return undefined
  return (await sql<ComplaintRow>`select ${columns} from ticket c ${names} where c.id = ${id}`.execute(tx)).rows[0]
}

export type EventRow = {
  id: number
  at: Date
  step: string
  author_name: string | null
  from_rider: boolean
  text: string
  assignee_name: string | null
  finding: string | null
  photo_ids: string[]
}

/** The newest ones of a very long history. */
const eventsMax = 500

export function selectEvents({ id, scope }: { id: number; scope: Scope }) {
  return sql<EventRow>`
    select e.* from (
      select e.id, e.at, e.step, e.author_name, e.from_rider, e.text, e.assignee_name, e.finding, e.photo_ids
      from ticket_event e where e.ticket_id = ${id} and ${inScope(scope, 'e')} order by e.id desc limit ${eventsMax}
    ) e order by e.id`
}

const otherRow = rowOf('ticket', 'c', ['id', 'kind', 'state', 'opened_at'])
export type OtherRow = RowOf<typeof otherRow>

const othersMax = 10

/** Of the same rider. */
export function selectOthers({ id, riderId, scope }: { id: number; riderId: number; scope: Scope }) {
  return otherRow.select`
    from ticket c
    where c.rider_id = ${riderId} and c.id <> ${id} and ${inScope(scope)}
    order by c.opened_at desc, c.id desc limit ${othersMax}`
}

const ticketRow = rowOf('ticket', 'c', ['id', 'state', 'text', 'opened_at', 'assignee_name'])

export function selectOfRider(asked: { scope: Scope; riderId: number; before: Date; limit: number }) {
  const { scope, riderId, before, limit } = asked
  return ticketRow.select`
    from ticket c
    where c.rider_id = ${riderId} and c.opened_at < ${before} and ${inScope(scope)}
    order by c.opened_at desc, c.id desc limit ${limit}`
}

const orderRow = rowOf('ride_order', 'o', ['id', 'state', 'placed_at', 'ended_at', 'charged_cents', 'refunded_cents'])
export type OrderRow = RowOf<typeof orderRow>

export function selectOrderOf({ orderId, scope }: { orderId: number; scope: Scope }) {
  return orderRow.select`
    from ride_order o
    where o.id = ${orderId} and ${inScope(scope, 'o')}`
}

export type NewComplaint = {
  readonly agentId: number
  readonly areaId: number | null
  readonly kind: ComplaintKind
  readonly source: 'rider' | 'staff'
  readonly riderId: number | null
  readonly orderId: number | null
  readonly vehicle: { readonly id: number; readonly number: string } | null
  readonly text: string
  readonly photoIds: readonly string[]
  readonly requestId: string | null
  readonly openedAt: Date
  readonly dueAt: Date
}

/** Adds a ticket and returns its id; null when this request has added one already. */
export async function insertComplaint(tx: Tx, complaint: NewComplaint): Promise<number | null> {
  const row = await tx
    .insertInto('ticket')
    .values({
      agent_id: complaint.agentId,
      area_id: complaint.areaId,
      kind: complaint.kind,
      source: complaint.source,
      rider_id: complaint.riderId,
      order_id: complaint.orderId,
      vehicle_id: complaint.vehicle?.id ?? null,
      vehicle_number: complaint.vehicle?.number ?? null,
      text: complaint.text,
      photo_ids: [...complaint.photoIds],
      request_id: complaint.requestId,
      opened_at: complaint.openedAt,
      due_at: complaint.dueAt,
      changed_at: complaint.openedAt,
    })
    .onConflict((conflict) =>
      conflict.columns(['agent_id', 'request_id']).where('request_id', 'is not', null).doNothing(),
    )
    .returning('id')
    .executeTakeFirst()
  return row?.id ?? null
}

export type NewEvent = {
  readonly at: Date
  readonly step: ComplaintStep
  readonly by: { readonly operatorId: number; readonly name: string } | null
  readonly fromRider?: boolean
  readonly text?: string
  readonly assigneeName?: string | null
  readonly finding?: string | null
  readonly photoIds?: readonly string[]
}

type Place = { readonly id: number; readonly agentId: number; readonly areaId: number | null }

export async function insertEvent(tx: Tx, of: Place, event: NewEvent): Promise<void> {
  await tx
    .insertInto('ticket_event')
    .values({
      ticket_id: of.id,
      agent_id: of.agentId,
      area_id: of.areaId,
      at: event.at,
      step: event.step,
      author_id: event.by?.operatorId ?? null,
      author_name: event.by?.name ?? null,
      from_rider: event.fromRider ?? false,
      text: event.text ?? '',
      assignee_name: event.assigneeName ?? null,
      finding: event.finding ?? null,
      photo_ids: [...(event.photoIds ?? [])],
    })
    .execute()
}

export type Changes = {
  readonly state?: ComplaintState
  readonly assignee_id?: number | null
  readonly assignee_name?: string | null
  readonly finding?: string
  readonly resolved_at?: Date
  readonly due_at?: Date
  readonly rating?: number
  readonly reopened_count?: number
}

/** The caller must have locked the ticket. */
export async function changeComplaint(tx: Tx, id: number, changes: Changes & { readonly at: Date }): Promise<void> {
  const { at, ...others } = changes
  await tx
    .updateTable('ticket')
    .set({ ...others, changed_at: at })
    .where('id', '=', id)
    .execute()
}

/** Photos of a ticket and its steps; the caller must have locked the ticket. */
export async function countPhotos(tx: Tx, id: number): Promise<number> {
  const { rows } = await rowOfValues({
    count: computed(
      'bigint',
      sql`(select coalesce(sum(cardinality(photo_ids)), 0)::integer from ticket_event where ticket_id = ${id})
      + cardinality(c.photo_ids)`,
    ),
  }).select`
    from ticket c where c.id = ${id}`.execute(tx)
  return rows[0]?.count ?? 0
}

const ticketRow2 = rowOf('ticket', ['id', 'agent_id', 'area_id'])

/** Closes up to `limit` answered tickets that were not reopened; returns their ids. */
export async function closeAnswered(tx: Tx, { before, at, limit }: { before: Date; at: Date; limit: number }) {
  const { rows } = await ticketRow2.returning`
    update ticket set state = 'closed', changed_at = ${at} where id in (
      select id from ticket where state = 'resolved' and resolved_at < ${before}
      order by resolved_at limit ${limit} for update skip locked)
    `.execute(tx)
  return rows
}
