import type { FeedbackAct } from '@saddle/contract/support/feedback.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { tell, type NewNotice } from '#notices/public.ts'
import { actsOf, type Viewer } from './rules.ts'
import {
  changeFeedbackRow,
  insertFeedbackEvent,
  lockFeedbackRow,
  type By,
  type FeedbackChanges,
  type FeedbackRow,
  type NewFeedbackEvent,
} from './store.ts'

export const feedbackPurpose = 'feedback'

export const byOf = ({ caller }: Pick<SessionCall, 'caller'>): By => ({
  operatorId: caller.operatorId,
  name: caller.name,
})

/** What the person may do with the ticket. */
export const actsFor = (row: FeedbackRow, viewer: Viewer, nowMs: number): FeedbackAct[] =>
  actsOf(
    {
      state: row.state,
      agentId: row.agent_id,
      authorId: row.author_id,
      rating: row.rating,
      resolvedAt: row.resolved_at?.getTime() ?? null,
      changedAt: row.changed_at.getTime(),
    },
    viewer,
    nowMs,
  )

/** The ticket of the scope with which the caller may do this, locked. Throws not_found, forbidden, ticket_step_refused. */
export async function lockFor(
  tx: Tx,
  { scope, caller }: Pick<SessionCall, 'scope' | 'caller'>,
  { id, act, nowMs }: { readonly id: number; readonly act: FeedbackAct; readonly nowMs: number },
): Promise<FeedbackRow> {
  const row = await lockFeedbackRow(tx, { id, scope, viewer: caller })
  if (row === undefined) throw new AppError('not_found')
  if (!actsFor(row, caller, nowMs).includes(act)) throw new AppError('ticket_step_refused')
  return row
}

/** Changes a locked ticket and writes the step into its history. */
export async function takeFeedbackStep(
  tx: Tx,
  row: Pick<FeedbackRow, 'id' | 'agent_id' | 'area_id'>,
  { event, changes = {} }: { readonly event: NewFeedbackEvent; readonly changes?: FeedbackChanges },
): Promise<void> {
  await changeFeedbackRow(tx, row.id, { ...changes, at: event.at })
  await insertFeedbackEvent(tx, row, event)
}

type FeedbackNotice = Extract<NewNotice, { event: `feedback_${string}` }>

/** Pages of those who answer tickets, and of those who open them. */
const answeringPath = (id: number): string => `/work/view-tickets?ticket=${id}`
const askingPath = (id: number): string => `/work/new-work-order?ticket=${id}`

const askerEvents: ReadonlySet<FeedbackNotice['event']> = new Set([
  'feedback_answered',
  'feedback_asked',
  'feedback_resolved',
  'feedback_closed',
])

/** Tells people of a step of a ticket; whoever takes the step need not be told. */
export async function tellOfFeedback(
  tx: Tx,
  row: Pick<FeedbackRow, 'id' | 'agent_id'>,
  notice: Pick<FeedbackNotice, 'event' | 'values'> & {
    readonly operatorIds: readonly number[]
    readonly by: By | null
    readonly at: Date
  },
): Promise<void> {
  const { event, values, at, by } = notice
  const operatorIds = notice.operatorIds.filter((id) => id !== by?.operatorId)
  await tell(tx, {
    event,
    values,
    agentId: row.agent_id,
    subject: `feedback ${row.id}`,
    key: `feedback ${row.id} ${at.getTime()}`,
    path: askerEvents.has(event) ? askingPath(row.id) : answeringPath(row.id),
    operatorIds,
    at,
  } as FeedbackNotice)
}
