import { sql, type RawBuilder } from 'kysely'
import {
  feedbackKinds,
  feedbackList,
  feedbackPriorities,
  feedbackStates,
  feedbackSteps,
  type FeedbackFilter,
  type FeedbackKind,
  type FeedbackPriority,
  type FeedbackState,
  type FeedbackStep,
  type FeedbackTicket,
} from '@saddle/contract/support/feedback.ts'
import type { Tx } from '#kit/db/pool.ts'
import { countRow, rowOf, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { spanOf, tableList } from '#kit/list/tableList.ts'
import { feedbackNumber, readFeedbackNumber, seesAll, type Viewer } from './rules.ts'

const columns = rowsOf(
  rowOf('feedback_ticket', 'f', [
    'id',
    'agent_id',
    'area_id',
    'author_id',
    'author_name',
    'kind',
    'priority',
    'state',
    'title',
    'text',
    'photo_ids',
    'vehicle_id',
    'order_id',
    'service_bill_id',
    'split_bill_id',
    'ticket_id',
    'opened_at',
    'due_at',
    'waiting_since',
    'changed_at',
    'assignee_id',
    'assignee_name',
    'resolved_at',
    'rating',
    'rating_text',
    'reopened_count',
    'is_done',
  ]).codes({ kind: feedbackKinds, priority: feedbackPriorities, state: feedbackStates }),
  rowOf('agent', 'agent', ['company']),
  rowOf('service_area', 'service_area', ['name as area_name']).optional(),
)
export type FeedbackRow = RowOf<typeof columns>

const joins = sql`join agent on agent.id = f.agent_id left join service_area on service_area.id = f.area_id`

/** A ticket is visible with its subject; one without an area belongs to the company. */
const inScope = (scope: Scope): RawBuilder<unknown> => sql`(
  f.agent_id = any (${scope.agentIds}::bigint[])
  and (f.area_id is null or f.area_id = any (${scope.areaIds}::bigint[])))`

/** Who may only open tickets sees their own. */
const isTheirs = (viewer: Viewer): RawBuilder<unknown> =>
  seesAll(viewer) ? sql`true` : sql`f.author_id = ${viewer.operatorId}`

interface Params {
  readonly viewer: Viewer
  readonly now: Date
}

const part = (word: string): string => `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`

export const feedbackRows = tableList(feedbackList, {
  table: 'feedback_ticket',
  alias: 'f',
  tenant: inScope,
  columns,
  joins,
  sorts: {
    due: [
      ['is_done', 'flag'],
      ['is_waiting', 'flag'],
      ['due_at', 'instant'],
    ],
    opened: ['opened_at', 'instant'],
  },
  find: (filter, params: Params) => ({ where: conditionsOf(filter, params) }),
})

function conditionsOf(filter: FeedbackFilter, { viewer, now }: Params) {
  const { number, word, kinds, priorities, states, areaIds, who, overdue } = filter
  const named = number === undefined ? undefined : readFeedbackNumber(number)
  return [
    !seesAll(viewer) && isTheirs(viewer),
    named === null && sql`false`,
    ...(named ? [sql`f.id = ${named.id}`, ...spanOf('f.opened_at', named)] : []),
    word !== undefined && sql`f.title ilike ${part(word)}`,
    kinds && sql`f.kind = any (${kinds}::text[])`,
    priorities && sql`f.priority = any (${priorities}::text[])`,
    states && sql`f.state = any (${states}::text[])`,
    areaIds && sql`f.area_id = any (${areaIds}::bigint[])`,
    who === 'author' && sql`f.author_id = ${viewer.operatorId}`,
    who === 'mine' && sql`f.assignee_id = ${viewer.operatorId}`,
    who === 'nobody' && sql`f.assignee_id is null and not f.is_done`,
    overdue === true && sql`not f.is_done and f.waiting_since is null and f.due_at < ${now}`,
    ...spanOf('f.opened_at', filter),
  ]
}

/** What is shown of a ticket. While its author is asked something, no time passes. */
export function presentFeedback(row: FeedbackRow, nowMs: number): FeedbackTicket {
  const openedAt = row.opened_at.getTime()
  const dueAt = row.due_at.getTime()
  return {
    id: row.id,
    number: feedbackNumber({ id: row.id, openedAt }),
    kind: row.kind,
    priority: row.priority,
    state: row.state,
    agentId: row.agent_id,
    company: row.company,
    areaName: row.area_name,
    authorName: row.author_name,
    title: row.title,
    openedAt,
    dueAt,
    overdue: !row.is_done && row.waiting_since === null && dueAt < nowMs,
    changedAt: row.changed_at.getTime(),
    assigneeId: row.assignee_id,
    assigneeName: row.assignee_name,
    rating: row.rating,
    reopenedCount: row.reopened_count,
  }
}

interface Named {
  readonly id: number
  readonly scope: Scope
  readonly viewer: Viewer
}

export const selectFeedback = ({ id, scope, viewer }: Named) =>
  columns.select`from feedback_ticket f ${joins} where f.id = ${id} and ${inScope(scope)} and ${isTheirs(viewer)}`

/** The ticket of the scope, locked until the end of the transaction. */
export async function lockFeedbackRow(tx: Tx, named: Named): Promise<FeedbackRow | undefined> {
  const { rows } = await sql`
    select f.id from feedback_ticket f
    where f.id = ${named.id} and ${inScope(named.scope)} and ${isTheirs(named.viewer)} for update`.execute(tx)
  if (rows.length === 0) return undefined
  return (await columns.select`from feedback_ticket f ${joins} where f.id = ${named.id}`.execute(tx)).rows[0]
}

const eventColumns = rowOf('feedback_event', 'e', [
  'id',
  'at',
  'step',
  'author_name',
  'from_platform',
  'text',
  'assignee_name',
  'priority',
  'photo_ids',
]).codes({ step: feedbackSteps, priority: feedbackPriorities })
export type FeedbackEventRow = RowOf<typeof eventColumns>

const eventsMax = 500

/** The steps of a ticket that was read within the scope, without notes for those who do not answer tickets. */
export const selectFeedbackEvents = ({ id, withNotes }: { readonly id: number; readonly withNotes: boolean }) =>
  eventColumns.select`
    from (
      select * from feedback_event where feedback_id = ${id} and (${withNotes}::boolean or step <> 'noted')
      order by id desc limit ${eventsMax}) e
    order by e.at, e.id`

export interface NewFeedback {
  readonly agentId: number
  readonly areaId: number | null
  readonly author: By
  readonly kind: FeedbackKind
  readonly priority: FeedbackPriority
  readonly title: string
  readonly text: string
  readonly photoIds: readonly string[]
  readonly vehicleId?: number
  readonly orderId?: number
  readonly serviceBillId?: number
  readonly splitBillId?: number
  readonly ticketId: number | null
  readonly openedAt: Date
  readonly dueAt: Date
}

export interface By {
  readonly operatorId: number
  readonly name: string
}

/** Adds a ticket; null when the rider's ticket has become one already. */
export async function insertFeedback(tx: Tx, made: NewFeedback): Promise<number | null> {
  const row = await tx
    .insertInto('feedback_ticket')
    .values({
      agent_id: made.agentId,
      area_id: made.areaId,
      author_id: made.author.operatorId,
      author_name: made.author.name,
      kind: made.kind,
      priority: made.priority,
      title: made.title,
      text: made.text,
      photo_ids: [...made.photoIds],
      vehicle_id: made.vehicleId ?? null,
      order_id: made.orderId ?? null,
      service_bill_id: made.serviceBillId ?? null,
      split_bill_id: made.splitBillId ?? null,
      ticket_id: made.ticketId,
      opened_at: made.openedAt,
      due_at: made.dueAt,
      changed_at: made.openedAt,
    })
    .onConflict((conflict) => conflict.column('ticket_id').where('ticket_id', 'is not', null).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id ?? null
}

export interface NewFeedbackEvent {
  readonly at: Date
  readonly step: FeedbackStep
  readonly by: By | null
  readonly fromPlatform: boolean
  readonly text?: string
  readonly assigneeName?: string | null
  readonly priority?: FeedbackPriority
  readonly photoIds?: readonly string[]
}

export async function insertFeedbackEvent(
  tx: Tx,
  of: Pick<FeedbackRow, 'id' | 'agent_id' | 'area_id'>,
  event: NewFeedbackEvent,
): Promise<void> {
  await tx
    .insertInto('feedback_event')
    .values({
      feedback_id: of.id,
      agent_id: of.agent_id,
      area_id: of.area_id,
      at: event.at,
      step: event.step,
      author_id: event.by?.operatorId ?? null,
      author_name: event.by?.name ?? null,
      from_platform: event.fromPlatform,
      text: event.text ?? '',
      assignee_name: event.assigneeName ?? null,
      priority: event.priority ?? null,
      photo_ids: [...(event.photoIds ?? [])],
    })
    .execute()
}

export interface FeedbackChanges {
  readonly state?: FeedbackState
  readonly priority?: FeedbackPriority
  readonly assignee_id?: number | null
  readonly assignee_name?: string | null
  readonly due_at?: Date
  readonly waiting_since?: Date | null
  readonly overdue_told_at?: Date | null
  readonly resolved_at?: Date | null
  readonly rating?: number | null
  readonly rating_text?: string
  readonly reopened_count?: number
}

/** The caller must have locked the ticket. */
export async function changeFeedbackRow(
  tx: Tx,
  id: number,
  { at, ...changes }: FeedbackChanges & { readonly at: Date },
): Promise<void> {
  await tx
    .updateTable('feedback_ticket')
    .set({ ...changes, changed_at: at })
    .where('id', '=', id)
    .execute()
}

/** Tickets that a person has opened since. */
export async function countOpened(tx: Tx, { authorId, since }: { authorId: number; since: Date }): Promise<number> {
  const { rows } = await countRow.select`
    from feedback_ticket where author_id = ${authorId} and opened_at >= ${since}`.execute(tx)
  return rows[0]?.count ?? 0
}

/** Up to `limit` tickets whose time is over and of which nobody was told, locked; others take the next ones. */
export async function lockOverdue(tx: Tx, { now, limit }: { now: Date; limit: number }): Promise<FeedbackRow[]> {
  const { rows } = await columns.select`
    from (
      select * from feedback_ticket where not is_done and waiting_since is null and due_at < ${now}
        and overdue_told_at is null
      order by due_at limit ${limit} for update skip locked) f ${joins}`.execute(tx)
  return rows
}

const closedRow = rowOf('feedback_ticket', ['id', 'agent_id', 'area_id', 'author_id', 'title'])

/** Closes up to `limit` tickets that were resolved long ago. */
export async function closeResolved(tx: Tx, { before, at, limit }: { before: Date; at: Date; limit: number }) {
  const { rows } = await closedRow.returning`
    update feedback_ticket set state = 'closed', changed_at = ${at} where id in (
      select id from feedback_ticket where state = 'resolved' and resolved_at < ${before}
      order by resolved_at limit ${limit} for update skip locked)
    `.execute(tx)
  return rows
}
