import { defaultAgentId } from '@saddle/contract/constants.ts'
import {
  feedbackCloseDays,
  feedbackReopenDays,
  feedbackTargetHours,
  type FeedbackAct,
  type FeedbackPriority,
  type FeedbackState,
} from '@saddle/contract/support/feedback.ts'
import { businessDayEnd, businessDayStart, dayMs, hourMs } from '@saddle/contract/time.ts'
import { businessTime } from '#kit/csv.ts'

/** The ticket number: day of creation and id. */
export const feedbackNumber = ({ id, openedAt }: { readonly id: number; readonly openedAt: number }): string =>
  `FK${businessTime(openedAt).slice(2, 10).replaceAll('-', '')}${String(id).padStart(8, '0')}`

/** What a number names: an id, and the day on which it was opened; null for a day that does not exist. */
export function readFeedbackNumber(number: string): { id: number; from: number; to: number } | null {
  const day = `20${number.slice(2, 4)}-${number.slice(4, 6)}-${number.slice(6, 8)}`
  const [from, to] = [businessDayStart(day), businessDayEnd(day)]
  return Number.isNaN(from) ? null : { id: Number(number.slice(8)), from, to }
}

export const dueAfter = (priority: FeedbackPriority, atMs: number): number =>
  atMs + feedbackTargetHours[priority] * hourMs

/** When it is due after a change of its priority. */
export const dueByPriority = (dueMs: number, from: FeedbackPriority, to: FeedbackPriority): number =>
  dueMs + (feedbackTargetHours[to] - feedbackTargetHours[from]) * hourMs

/** When it is due after the time in which its author was asked something. */
export const dueAfterPause = (dueMs: number, waitingSinceMs: number, nowMs: number): number =>
  dueMs + Math.max(0, nowMs - waitingSinceMs)

/** Tickets that were resolved before this moment are closed. */
export const closedBefore = (nowMs: number): number => nowMs - feedbackCloseDays * dayMs

export interface Viewer {
  readonly operatorId: number
  readonly agentId: number
  readonly permissions: ReadonlySet<string>
}

/** Whether the person answers tickets: staff of the company at the root of the tree. */
export const isOfPlatform = ({ agentId, permissions }: Viewer): boolean =>
  agentId === defaultAgentId && permissions.has('1801')

/** Whether the person sees the tickets of others; who may only open tickets sees their own. */
export const seesAll = ({ permissions }: Viewer): boolean => permissions.has('1801')

const forPlatform: Readonly<Record<FeedbackState, readonly FeedbackAct[]>> = {
  open: ['reply', 'ask', 'note', 'assign', 'start', 'prioritise', 'resolve', 'close'],
  in_work: ['reply', 'ask', 'note', 'assign', 'start', 'prioritise', 'resolve', 'close'],
  waiting: ['reply', 'note', 'assign', 'prioritise', 'resolve', 'close'],
  resolved: ['reply', 'note', 'close', 'reopen'],
  closed: ['note', 'reopen'],
}

const forAsker: Readonly<Record<FeedbackState, readonly FeedbackAct[]>> = {
  open: ['say', 'close'],
  in_work: ['say', 'close'],
  waiting: ['say', 'close'],
  resolved: ['reopen', 'rate'],
  closed: ['reopen', 'rate'],
}

interface Rated {
  readonly state: FeedbackState
  readonly agentId: number
  readonly authorId: number
  readonly rating: number | null
  readonly resolvedAt: number | null
  readonly changedAt: number
}

/** What a person may do with a ticket now. */
export function actsOf(ticket: Rated, viewer: Viewer, nowMs: number): FeedbackAct[] {
  const { state, rating, resolvedAt } = ticket
  const isAuthor = viewer.operatorId === ticket.authorId
  // Colleagues of the author speak for the company; the platform's own staff do so for themselves alone.
  const isAsker =
    isAuthor || (viewer.agentId === ticket.agentId && ticket.agentId !== defaultAgentId && seesAll(viewer))
  const isLate = state === 'closed' && nowMs - ticket.changedAt > feedbackReopenDays * dayMs
  const asker = isAsker ? forAsker[state] : []
  const platform = isOfPlatform(viewer) ? forPlatform[state] : []
  return [...new Set([...asker, ...platform])].filter((act) => {
    if (act === 'reopen') return !isLate
    // What was withdrawn has no result to rate.
    return act !== 'rate' || (isAuthor && rating === null && resolvedAt !== null)
  })
}
