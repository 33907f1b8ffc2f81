import { sql, type RawBuilder } from 'kysely'
import {
  ticketList,
  type TicketFilter,
  type TicketKind,
  type TicketState,
  type TicketStep,
} from '@saddle/contract/support/tickets.ts'
import { feedbackStates } from '@saddle/contract/support/feedback.ts'
import { businessDayEnd, businessDayStart } from '@saddle/contract/time.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { spanOf, tableList } from '#kit/list/tableList.ts'
import { dayOfNumber, idOfNumber } from './rules.ts'

const ticketColumns = rowsOf(
  rowOf('ticket', 'c', [
    'id',
    'agent_id',
    'area_id',
    'kind',
    'state',
    'source',
    'rider_id',
    'order_id',
    'vehicle_number',
    'text',
    'photo_ids',
    'opened_at',
    'due_at',
    'changed_at',
    'assignee_id',
    'assignee_name',
    'finding',
    'resolved_at',
    'rating',
    'reopened_count',
    'is_done',
  ]),
  rowOf('agent', 'agent', ['company']),
  rowOf('service_area', 'service_area', ['name as area_name']).optional(),
  rowOf('rider', 'rider', ['phone_sealed', 'phone_hash']).optional(),
)
export type TicketRow = RowOf<typeof ticketColumns>

const names = sql`join agent on agent.id = c.agent_id left join service_area on service_area.id = c.area_id
  left join rider on rider.id = c.rider_id`

/** A ticket is visible with its subject. A ticket without an area is about a rider alone and belongs to the company. */
const inScope = (scope: Scope, alias = 'c'): RawBuilder<unknown> => sql`(
  ${sql.ref(`${alias}.agent_id`)} = any (${scope.agentIds}::bigint[])
  and (${sql.ref(`${alias}.area_id`)} is null or ${sql.ref(`${alias}.area_id`)} = any (${scope.areaIds}::bigint[])))`

/** What the conditions of the list need beside themselves. */
interface TicketParams {
  /** The riders of the filter's phone; undefined: no phone in the filter. */
  readonly riderIds: readonly number[] | undefined
  readonly operatorId: number
  readonly now: Date
}

export const ticketRows = tableList(ticketList, {
  table: 'ticket',
  alias: 'c',
  tenant: (scope) => inScope(scope),
  columns: ticketColumns,
  joins: names,
  sorts: {
    due: [
      ['is_done', 'flag'],
      ['due_at', 'instant'],
    ],
    opened: ['opened_at', 'instant'],
  },
  find: (filter, params: TicketParams) => ({ where: conditionsOf(filter, params) }),
})

function conditionsOf(filter: TicketFilter, { riderIds, operatorId, now }: TicketParams) {
  const { number, vehicleNumber, riderId, orderId, kinds, states, areaIds, who, assigneeId, overdue } = filter
  return [
    ...(number === undefined ? [] : isNumber(number)),
    riderIds && sql`c.rider_id = any (${riderIds}::bigint[])`,
    riderId !== undefined && sql`c.rider_id = ${riderId}`,
    orderId !== undefined && sql`c.order_id = ${orderId}`,
    vehicleNumber !== undefined && sql`c.vehicle_number = ${vehicleNumber.toUpperCase()}`,
    kinds && sql`c.kind = any (${kinds}::text[])`,
    states && sql`c.state = any (${states}::text[])`,
    areaIds && sql`c.area_id = any (${areaIds}::bigint[])`,
    who === 'mine' && sql`c.assignee_id = ${operatorId}`,
    who === 'nobody' && sql`c.assignee_id is null and not c.is_done`,
    assigneeId !== undefined && sql`c.assignee_id = ${assigneeId}`,
    overdue === true && sql`not c.is_done and c.due_at < ${now}`,
    ...spanOf('c.opened_at', filter),
  ]
}

/** A number names a ticket by its id and the day on which it was opened; both must be right. */
function isNumber(number: string) {
  const day = dayOfNumber(number)
  const [from, to] = [businessDayStart(day), businessDayEnd(day)]
  return Number.isNaN(from) ? [sql`false`] : [sql`c.id = ${idOfNumber(number)}`, ...spanOf('c.opened_at', { from, to })]
}

/** Counts open tickets within the scope, including answered ones that the rider may still reopen. */
export function countWaiting({ scope, operatorId, now }: { scope: Scope; operatorId: number; now: Date }) {
  const those = (condition: RawBuilder<unknown>) => computed('bigint', sql`count(*) filter (where ${condition})`)
  return rowOfValues({
    open: those(sql`c.state = 'open'`),
    in_work: those(sql`c.state = 'in_work'`),
    overdue: those(sql`not c.is_done and c.due_at < ${now}`),
    mine: those(sql`not c.is_done and c.assignee_id = ${operatorId}`),
    nobody: those(sql`not c.is_done and c.assignee_id is null`),
    resolved: those(sql`c.state = 'resolved'`),
  }).select`from ticket c where c.state <> 'closed' and ${inScope(scope)}`
}

export function selectTicket({ id, scope }: { id: number; scope: Scope }) {
  return ticketColumns.select`from ticket c ${names} where c.id = ${id} and ${inScope(scope)}`
}

/** The ticket of the scope, locked until the end of the transaction. */
export async function lockTicketRow(
  tx: Tx,
  { id, scope }: { id: number; scope: Scope },
): Promise<TicketRow | undefined> {
  const { rows } = await sql`
    select c.id from ticket c where c.id = ${id} and ${inScope(scope)} for update`.execute(tx)
  if (rows.length === 0) return undefined
  return (await ticketColumns.select`from ticket c ${names} where c.id = ${id}`.execute(tx)).rows[0]
}

const eventRow = rowOf('ticket_event', 'e', [
  'id',
  'at',
  'step',
  'author_name',
  'from_rider',
  'text',
  'assignee_name',
  'finding',
  'photo_ids',
])
export type EventRow = RowOf<typeof eventRow>

/** The newest ones of a very long history. */
const eventsMax = 500

export function selectEvents({ id, scope }: { id: number; scope: Scope }) {
  return eventRow.select`
    from (
      select e.* from ticket_event e where e.ticket_id = ${id} and ${inScope(scope, 'e')} order by e.id desc limit ${eventsMax}
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

const feedbackRow = rowOf('feedback_ticket', 'f', ['id', 'state', 'opened_at']).codes({ state: feedbackStates })

export type FeedbackOfRow = RowOf<typeof feedbackRow>

/** The feedback ticket that was made of a ticket of the scope. */
export function selectFeedbackOf({ id, scope }: { id: number; scope: Scope }) {
  return feedbackRow.select`from feedback_ticket f where f.ticket_id = ${id} and ${inScope(scope, 'f')}`
}

export type NewTicket = {
  readonly agentId: number
  readonly areaId: number | null
  readonly kind: TicketKind
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
export async function insertTicket(tx: Tx, ticket: NewTicket): Promise<number | null> {
  const row = await tx
    .insertInto('ticket')
    .values({
      agent_id: ticket.agentId,
      area_id: ticket.areaId,
      kind: ticket.kind,
      source: ticket.source,
      rider_id: ticket.riderId,
      order_id: ticket.orderId,
      vehicle_id: ticket.vehicle?.id ?? null,
      vehicle_number: ticket.vehicle?.number ?? null,
      text: ticket.text,
      photo_ids: [...ticket.photoIds],
      request_id: ticket.requestId,
      opened_at: ticket.openedAt,
      due_at: ticket.dueAt,
      changed_at: ticket.openedAt,
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
  readonly step: TicketStep
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
  readonly state?: TicketState
  readonly assignee_id?: number | null
  readonly assignee_name?: string | null
  readonly finding?: string
  readonly resolved_at?: Date
  readonly due_at?: Date
  readonly rating?: number
  readonly reopened_count?: number
}

/** The caller must have locked the ticket. */
export async function changeTicket(tx: Tx, id: number, changes: Changes & { readonly at: Date }): Promise<void> {
  const { at, ...others } = changes
  await tx
    .updateTable('ticket')
    .set({ ...others, changed_at: at })
    .where('id', '=', id)
    .execute()
}

const ticketRow2 = rowOf('ticket', ['id', 'agent_id', 'area_id'])

const ofCompany = rowOf('ticket', 'c', ['agent_id'])

/** Companies with answered tickets. */
export async function answeredCompanies(tx: Tx): Promise<number[]> {
  const { rows } = await ofCompany.select`
    from (select distinct agent_id from ticket where state = 'resolved') c order by c.agent_id`.execute(tx)
  return rows.map(({ agent_id: agentId }) => agentId)
}

interface Closing {
  readonly agentId: number
  readonly before: Date
  readonly at: Date
  readonly limit: number
}

/** Closes up to `limit` answered tickets of a company that were not reopened; returns their ids. */
export async function closeAnswered(tx: Tx, { agentId, before, at, limit }: Closing) {
  const { rows } = await ticketRow2.returning`
    update ticket set state = 'closed', changed_at = ${at} where id in (
      select id from ticket where state = 'resolved' and resolved_at < ${before} and agent_id = ${agentId}
      order by resolved_at limit ${limit} for update skip locked)
    `.execute(tx)
  return rows
}
