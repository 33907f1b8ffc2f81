import type { FeedbackAct, FeedbackStep, feedbackEndpoints } from '@saddle/contract/support/feedback.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { FeedbackDeps } from './deps.ts'
import { findWorker, selectWorkerIds } from './people.ts'
import { dueAfter, dueAfterPause, dueByPriority, isOfPlatform } from './rules.ts'
import { presentFeedback, selectFeedback, type FeedbackChanges, type FeedbackRow } from './store.ts'
import { byOf, lockFor, takeFeedbackStep, tellOfFeedback } from './ticket.ts'
import { keepStepPhotos } from '../ticketPhotos.ts'

type All = Handlers<typeof feedbackEndpoints>
type Acts = 'sayInFeedback' | 'changeFeedback' | 'assignFeedback' | 'prioritiseFeedback' | 'rateFeedback'
type Said = 'say' | 'reply' | 'ask' | 'note'
type Change = 'start' | 'resolve' | 'close' | 'reopen'

const steps = {
  say: 'said',
  reply: 'replied',
  ask: 'asked',
  note: 'noted',
  start: 'started',
  resolve: 'resolved',
  close: 'closed',
  reopen: 'reopened',
} as const satisfies Readonly<Record<Said | Change, FeedbackStep>>

/** What is done with tickets after they are opened. */
export function createFeedbackActs(deps: FeedbackDeps): Pick<All, Acts> {
  const { kit } = deps
  const workersOf = async (): Promise<number[]> =>
    (await kit.db.systemRead((k) => selectWorkerIds().compile(k))).map(({ id }) => id)
  const work = <T>(call: SessionCall, step: Step<T>): Promise<T> => takeAct(deps, call, step)
  return {
    sayInFeedback: async ({ id, act, text, photos: files }, call) => {
      const workers = act === 'say' ? await workersOf() : []
      const run = async (tx: Tx, row: FeedbackRow, at: Date): Promise<void> => {
        const by = byOf(call)
        const photoIds = await keepStepPhotos(deps, tx, { kind: 'feedback', ticket: row, files })
        const event = { at, step: steps[act], by, fromPlatform: act !== 'say', text, photoIds }
        await takeFeedbackStep(tx, row, { event, changes: afterSaid(row, act, { at, by }) })
        await tellOfSaid(tx, row, { act, by, at, workers })
      }
      await work(call, { id, act, run })
      return readOne(deps, call, id)
    },

    changeFeedback: async ({ id, act, text }, call) => {
      const workers = act === 'reopen' ? await workersOf() : []
      const run = async (tx: Tx, row: FeedbackRow, at: Date): Promise<void> => {
        const by = byOf(call)
        const fromPlatform = isOfPlatform(call.caller) && by.operatorId !== row.author_id
        const event = {
          at,
          step: steps[act],
          by,
          fromPlatform,
          text,
          ...(act === 'start' && { assigneeName: by.name }),
        }
        await takeFeedbackStep(tx, row, { event, changes: afterChange(row, act, { at, by }) })
        await tellOfChange(tx, row, { act, by, at, workers })
      }
      await work(call, { id, act, run })
      return readOne(deps, call, id)
    },

    assignFeedback: async ({ id, assigneeId }, call) => {
      const previousId = await work(call, {
        id,
        act: 'assign',
        after: { operatorId: assigneeId },
        run: (tx, row, at) => assign(tx, { row, assigneeId, call, at }),
      })
      return { suc: true, data: { previousId } }
    },

    prioritiseFeedback: async ({ id, priority }, call) => {
      const run = async (tx: Tx, row: FeedbackRow, at: Date) => {
        const due_at = new Date(dueByPriority(row.due_at.getTime(), row.priority, priority))
        await takeFeedbackStep(tx, row, {
          event: { at, step: 'prioritised', by: byOf(call), fromPlatform: true, priority },
          changes: { priority, due_at, overdue_told_at: null },
        })
        return row.priority
      }
      const previous = await work(call, { id, act: 'prioritise', run, after: { priority } })
      return { suc: true, data: { previous } }
    },

    rateFeedback: async ({ id, rating, text }, call) => {
      const run = (tx: Tx, row: FeedbackRow, at: Date): Promise<void> =>
        takeFeedbackStep(tx, row, {
          event: { at, step: 'rated', by: byOf(call), fromPlatform: false, text },
          changes: { state: 'closed', rating, rating_text: text },
        })
      await work(call, { id, act: 'rate', run, after: { rating } })
      return readOne(deps, call, id)
    },
  }
}

interface Step<T> {
  readonly id: number
  readonly act: FeedbackAct
  readonly run: (tx: Tx, row: FeedbackRow, at: Date) => Promise<T>
  readonly after?: Readonly<Record<string, unknown>>
}

/** One step of one ticket of the scope, with its audit record. */
function takeAct<T>({ kit, audit }: FeedbackDeps, call: SessionCall, step: Step<T>): Promise<T> {
  return kit.db.withScope(call.scope, async (tx) => {
    const nowMs = kit.clock.now()
    const row = await lockFor(tx, call, { id: step.id, act: step.act, nowMs })
    const result = await step.run(tx, row, new Date(nowMs))
    await audit.act(tx, call, {
      agentId: row.agent_id,
      areaId: row.area_id,
      action: `feedback.${step.act}`,
      subjectKind: 'feedback',
      subjectId: row.id,
      after: step.after ?? {},
    })
    return result
  })
}

interface Doing {
  readonly at: Date
  readonly by: { readonly operatorId: number; readonly name: string }
}

/** The end of a pause, with the time that it has lasted. */
function resumed(row: FeedbackRow, at: Date): FeedbackChanges {
  if (row.waiting_since === null) return {}
  const due = dueAfterPause(row.due_at.getTime(), row.waiting_since.getTime(), at.getTime())
  return { waiting_since: null, due_at: new Date(due) }
}

function afterSaid(row: FeedbackRow, act: Said, { at, by }: Doing): FeedbackChanges {
  if (act === 'note') return {}
  const mine = row.assignee_id === null ? { assignee_id: by.operatorId, assignee_name: by.name } : {}
  if (act === 'ask') return { state: 'waiting', waiting_since: at, ...mine }
  if (act === 'say')
    return row.state === 'waiting' ? { state: row.assignee_id === null ? 'open' : 'in_work', ...resumed(row, at) } : {}
  return row.state === 'open' ? { state: 'in_work', ...mine } : {}
}

function afterChange(row: FeedbackRow, act: Change, { at, by }: Doing): FeedbackChanges {
  const mine = { assignee_id: by.operatorId, assignee_name: by.name }
  if (act === 'start') return { state: 'in_work', ...mine }
  if (act === 'resolve')
    return { state: 'resolved', resolved_at: at, ...resumed(row, at), ...(row.assignee_id === null && mine) }
  if (act === 'close') return { state: 'closed', ...resumed(row, at) }
  return {
    state: row.assignee_id === null ? 'open' : 'in_work',
    due_at: new Date(dueAfter(row.priority, at.getTime())),
    overdue_told_at: null,
    resolved_at: null,
    rating: null,
    rating_text: '',
    reopened_count: row.reopened_count + 1,
  }
}

/** Who works on it; all who answer tickets where nobody does. */
const worksOn = (row: FeedbackRow, workers: readonly number[]): readonly number[] =>
  row.assignee_id === null ? workers : [row.assignee_id]

interface Telling extends Doing {
  readonly workers: readonly number[]
}

async function tellOfSaid(tx: Tx, row: FeedbackRow, { act, by, at, workers }: Telling & { act: Said }): Promise<void> {
  if (act === 'note') return
  const events = { say: 'feedback_said', reply: 'feedback_answered', ask: 'feedback_asked' } as const
  await tellOfFeedback(tx, row, {
    event: events[act],
    values: { title: row.title, person: by.name },
    operatorIds: act === 'say' ? worksOn(row, workers) : [row.author_id],
    by,
    at,
  })
}

async function tellOfChange(
  tx: Tx,
  row: FeedbackRow,
  { act, by, at, workers }: Telling & { act: Change },
): Promise<void> {
  if (act === 'start') return
  if (act === 'reopen') {
    const values = { title: row.title, person: by.name }
    return tellOfFeedback(tx, row, { event: 'feedback_said', values, operatorIds: worksOn(row, workers), by, at })
  }
  const event = act === 'resolve' ? 'feedback_resolved' : 'feedback_closed'
  await tellOfFeedback(tx, row, { event, values: { title: row.title }, operatorIds: [row.author_id], by, at })
}

/** Gives the ticket to somebody of the platform, or back to all; resolves to who had it. */
async function assign(
  tx: Tx,
  of: {
    readonly row: FeedbackRow
    readonly assigneeId: number | null
    readonly call: SessionCall
    readonly at: Date
  },
): Promise<number | null> {
  const { row, assigneeId, call, at } = of
  const by = byOf(call)
  const person = assigneeId === null ? null : await findWorker(tx, { scope: call.scope, operatorId: assigneeId })
  if (person === undefined) throw new AppError('ticket_person_unfit')
  const state = row.state === 'waiting' ? {} : ({ state: person === null ? 'open' : 'in_work' } as const)
  await takeFeedbackStep(tx, row, {
    event: { at, step: 'assigned', by, fromPlatform: true, assigneeName: person?.name ?? null },
    changes: { ...state, assignee_id: person?.operatorId ?? null, assignee_name: person?.name ?? null },
  })
  if (person !== null)
    await tellOfFeedback(tx, row, {
      event: 'feedback_assigned',
      values: { title: row.title, feedback: row.kind, person: by.name },
      operatorIds: [person.operatorId],
      by,
      at,
    })
  return row.assignee_id
}

async function readOne({ kit }: FeedbackDeps, { scope, caller }: SessionCall, id: number) {
  const [row] = await kit.db.read(scope, (k) => selectFeedback({ id, scope, viewer: caller }).compile(k))
  if (row === undefined) throw new AppError('not_found')
  return { suc: true as const, data: presentFeedback(row, kit.clock.now()) }
}
