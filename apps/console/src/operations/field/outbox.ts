import { z } from 'zod'
import type { Endpoint } from '@saddle/contract/endpoint.ts'
import { sessionEndpoints } from '@saddle/contract/identity/session.ts'
import { taskEndpoints, type Task } from '@saddle/contract/operations/tasks.ts'
import { dayMs } from '@saddle/contract/time.ts'
import { ApiError, call, tellFailure, wordsOf } from '#kit/api/client.ts'
import { newIdempotencyKey } from '#kit/idempotency.ts'
import { endpointKey, queryClient } from '#kit/query.ts'
import { currentSession } from '#kit/session/store.ts'
import { createStore, useStore } from '#kit/store.ts'
import { openFieldStore } from './queue/database.ts'
import { outcomeOf, stepKinds, type Outcome, type Step, type StepKind } from './queue/rules.ts'
import { createSender } from './queue/sender.ts'

const calls: Readonly<Record<StepKind, Endpoint>> = {
  claim: taskEndpoints.claimTask,
  start: taskEndpoints.startTask,
  complete: taskEndpoints.completeTask,
  release: taskEndpoints.releaseTask,
  report: taskEndpoints.reportTask,
}

/** One thing that the server has taken. */
export interface Sent {
  readonly id: number
  readonly vehicleNumber: string
  readonly kind: StepKind
  readonly madeAt: number
  readonly sentAt: number
}

const sentSchema = z.array(
  z.object({
    id: z.number(),
    vehicleNumber: z.string(),
    kind: z.enum(stepKinds),
    madeAt: z.number(),
    sentAt: z.number(),
  }),
)
const sentMax = 30
const sent = createStore<readonly Sent[]>([])
/** What the server has of this person since yesterday, the latest first. */
export const useSent = (): readonly Sent[] => useStore(sent)

const steps = createStore<readonly Step[]>([])
/** What this person did and the server does not know yet, the oldest first. */
export const useSteps = (): readonly Step[] => useStore(steps)

export const fieldStore = openFieldStore()
const owner = (): string | null => currentSession()?.opManId ?? null
const sentName = (who: string): string => `${who} sent`

/** Without disk space the list is shorter; what was sent is with the server. */
async function noteSent({ id, owner: who, vehicleNumber, kind, madeAt }: Step): Promise<void> {
  const now = Date.now()
  const all = [{ id, vehicleNumber, kind, madeAt, sentAt: now }, ...sent.get()]
  sent.set(all.filter(({ sentAt }) => sentAt > now - dayMs).slice(0, sentMax))
  await fieldStore.keep(sentName(who), { at: now, value: sent.get() }).catch(() => null)
}

async function readSent(): Promise<void> {
  const who = owner()
  if (who === null) return
  const kept = await fieldStore.kept(sentName(who))
  const known = sentSchema.safeParse(kept?.value).data ?? []
  sent.set(known.filter(({ sentAt }) => sentAt > Date.now() - dayMs))
}

async function send(step: Step): Promise<Outcome> {
  const options = { idempotencyKey: step.key, quiet: true }
  try {
    await call(calls[step.kind], step.input, options)
    return { kind: 'done' }
  } catch (error) {
    if (!(error instanceof ApiError)) return { kind: 'later' }
    if (error.code === 'task_over' && step.kind === 'complete' && (await isDoneByMe(step.taskId)))
      return { kind: 'done' }
    const outcome = outcomeOf({ status: error.status, code: error.code, words: wordsOf(error) })
    // Session errors concern the whole application, so they are reported to it.
    if (outcome.kind === 'stop') tellFailure(error)
    return outcome
  }
}

/** A server that died after the work was done forgot the key, but not the task. */
async function isDoneByMe(id: number): Promise<boolean> {
  try {
    const [{ data }, me] = await Promise.all([
      call(taskEndpoints.taskDetail, { id }, { quiet: true }),
      call(sessionEndpoints.me, {}, { quiet: true }),
    ])
    return data.task.state === 'done' && String(data.task.assigneeId) === me.data.operatorId
  } catch {
    return false
  }
}

/** One tab sends at a time where the browser can say so; keys keep two from doing anything twice. */
async function alone(work: () => Promise<void>): Promise<void> {
  // Missing on plain-http addresses of a local network.
  const locks: LockManager | undefined = 'locks' in navigator ? navigator.locks : undefined
  if (locks === undefined) return work()
  await locks.request('saddle-field-queue', work)
}

const sender = createSender({
  store: fieldStore,
  send,
  owner,
  alone,
  later: (work, ms) => {
    const timer = setTimeout(work, ms)
    return () => clearTimeout(timer)
  },
  onChange: (found) => steps.set(found),
  onSettled: (step, outcome) => {
    if (outcome.kind === 'done') void noteSent(step)
    void queryClient.invalidateQueries({ queryKey: endpointKey(taskEndpoints.listTasks) })
  },
})

export interface Doing {
  readonly kind: StepKind
  readonly task: Pick<Task, 'id' | 'number'>
  readonly input: unknown
}

/** Stores what was done, and sends it as soon as there is a connection. Rejects only when it could not be kept. */
export async function doStep({ kind, task, input }: Doing): Promise<void> {
  const who = owner()
  if (who === null) throw new ApiError({ code: 'unauthorized', status: 401 })
  await sender.put({
    owner: who,
    taskId: task.id,
    vehicleNumber: task.number,
    kind,
    input,
    key: newIdempotencyKey(),
    madeAt: Date.now(),
  })
}

export const retryStep = (step: Step): Promise<void> => sender.retry(step)
export const discardTask = (taskId: number): Promise<void> => sender.discard(taskId)
export const sendNow = (): Promise<void> => sender.flush()

/** Sends while the page is open: at once, when the connection returns, and when the page becomes visible again. */
export function startOutbox(): () => void {
  const flush = (): void => void sender.flush().catch(() => null)
  const look = (): void => {
    if (document.visibilityState === 'visible') flush()
  }
  void readSent().catch(() => null)
  void sender
    .refresh()
    .then(flush)
    .catch(() => null)
  addEventListener('online', flush)
  document.addEventListener('visibilitychange', look)
  return () => {
    removeEventListener('online', flush)
    document.removeEventListener('visibilitychange', look)
    sender.stop()
  }
}
