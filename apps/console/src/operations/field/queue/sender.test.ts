import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { outcomeOf, pauseAfter, stateWith, type NewStep, type Outcome, type Step } from './rules.ts'
import { createSender, type Sender } from './sender.ts'

let rows: Map<number, Step>
let lastId: number
let sent: Step[]
let answers: Outcome[]
let owner: string | null
let pauses: { work: () => void; ms: number }[]
let shown: readonly Step[]
let settled: string[]

const store = {
  add: (step: NewStep) => {
    const whole: Step = { ...step, id: ++lastId, state: 'waiting', attempts: 0, refusal: null }
    rows.set(whole.id, whole)
    return Promise.resolve(whole)
  },
  steps: (who: string) => Promise.resolve([...rows.values()].filter((step) => step.owner === who)),
  change: (step: Step) => Promise.resolve(void rows.set(step.id, step)),
  remove: (id: number) => Promise.resolve(void rows.delete(id)),
}

/** As a page that is loaded anew makes it: nothing of the one before is left but the store. */
const fresh = (): Sender =>
  createSender({
    store,
    send: (step) => {
      sent.push(step)
      return Promise.resolve(answers.shift() ?? { kind: 'done' })
    },
    owner: () => owner,
    alone: (work) => work(),
    later: (work, ms) => {
      pauses.push({ work, ms })
      return () => {}
    },
    onChange: (steps) => (shown = steps),
    onSettled: (step, { kind }) => settled.push(`${step.kind} ${kind}`),
  })

const step = (taskId: number, kind: Step['kind'], who = 'a'): NewStep => ({
  owner: who,
  taskId,
  vehicleNumber: 'SD100001',
  kind,
  input: { id: taskId },
  key: `key-${taskId}-${kind}`,
  madeAt: 1,
})
const later: Outcome = { kind: 'later' }
const told = () => sent.map(({ taskId, kind }) => `${taskId} ${kind}`)

beforeEach(() => {
  rows = new Map()
  lastId = 0
  sent = []
  answers = []
  owner = 'a'
  pauses = []
  shown = []
  settled = []
})

describe('the queue of the field page', () => {
  test('keeps the order, waits for the line, and repeats with the same key after a reload', async () => {
    answers = Array.from({ length: 20 }, () => later)
    const first = fresh()
    await first.put(step(1, 'claim'))
    await first.flush()
    await first.put(step(1, 'complete'))
    await first.flush()
    expect(shown.map(({ kind }) => kind)).toEqual(['claim', 'complete'])
    sent = []
    answers = [later]
    await fresh().flush()
    expect(told()).toEqual(['1 claim'])
    await fresh().flush()
    expect(told()).toEqual(['1 claim', '1 claim', '1 complete'])
    expect(new Set(sent.map(({ key }) => key)).size).toBe(2)
    expect(rows.size).toBe(0)
  })

  test('a refused step stays with its reason and holds up only its own task', async () => {
    answers = [{ kind: 'refused', words: '任务已被周启航领取' }]
    const sender = fresh()
    await store.add(step(1, 'claim'))
    await store.add(step(1, 'complete'))
    await store.add(step(2, 'claim'))
    await sender.flush()
    expect(told()).toEqual(['1 claim', '2 claim'])
    expect(shown.map(({ state, refusal }) => [state, refusal])).toEqual([
      ['refused', '任务已被周启航领取'],
      ['waiting', null],
    ])
    expect(settled).toEqual(['claim refused', 'claim done'])
    const [refused] = shown
    if (refused === undefined) throw new Error('nothing was refused')
    await sender.retry(refused)
    expect(rows.size).toBe(0)
  })

  test('what one person did is not sent by another', async () => {
    answers = [{ kind: 'stop' }]
    const sender = fresh()
    await store.add(step(1, 'claim'))
    await sender.flush()
    owner = 'b'
    await sender.flush()
    expect(sent).toHaveLength(1)
    expect(shown).toEqual([])
    owner = 'a'
    await sender.flush()
    expect(rows.size).toBe(0)
  })

  test('tries less and less often, and never ends', () => {
    expect([1, 2, 3].map(pauseAfter)).toEqual([4_000, 8_000, 16_000])
    expect(pauseAfter(1_000)).toBe(60_000)
  })

  test('discards all of a task', async () => {
    const sender = fresh()
    await store.add(step(1, 'claim'))
    await store.add(step(1, 'complete'))
    await store.add(step(2, 'claim'))
    await sender.discard(1)
    expect(shown.map(({ taskId }) => taskId)).toEqual([2])
  })

  test('knows a lost line from a refusal', () => {
    const of = (status: number, code: string) => outcomeOf({ status, code, words: 'w' }).kind
    expect(of(0, 'network')).toBe('later')
    expect(of(409, 'request_in_progress')).toBe('later')
    expect(of(503, 'unavailable')).toBe('later')
    expect(of(401, 'unauthorized')).toBe('stop')
    expect(of(409, 'conflict')).toBe('refused')
    expect(of(404, 'not_found')).toBe('refused')
  })

  test('a task looks as if what waits had arrived, and as it was after a refusal', () => {
    const waiting = { state: 'waiting' as const, attempts: 0, refusal: null }
    const steps = (['claim', 'start', 'complete'] as const).map((kind, id) =>
      Object.assign(step(1, kind), { id, ...waiting }),
    )
    expect(stateWith('open', steps)).toBe('done')
    expect(stateWith('open', steps.slice(0, 2))).toBe('on_site')
    expect(stateWith('open', [{ ...steps[0]!, state: 'refused' }])).toBe('open')
    const report = (input: unknown) => Object.assign(step(1, 'report'), { id: 1, ...waiting, input })
    expect(stateWith('on_site', [report({ outcome: 'not_found' })])).toBe('open')
    expect(stateWith('on_site', [report({ outcome: 'needs_help' })])).toBe('on_site')
    expect(stateWith('on_site', [report({ outcome: 'needs_help', operatorId: 7 })])).toBe('open')
  })

  test('whatever the line does, each step is done exactly once and in its order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ task: fc.integer({ min: 1, max: 3 }), fails: fc.integer({ min: 0, max: 3 }) }), {
          minLength: 1,
          maxLength: 12,
        }),
        async (plan) => {
          rows = new Map()
          sent = []
          answers = []
          const done: number[] = []
          for (const { task } of plan) await store.add(step(task, 'start'))
          const order = [...rows.keys()]
          // The answer may be lost after the work was done: the key tells the server that it knows the step.
          const known = new Set<number>()
          const sender = createSender({
            store,
            send: (one) => {
              if (!known.has(one.id)) done.push(one.id)
              known.add(one.id)
              const fails = plan[order.indexOf(one.id)]?.fails ?? 0
              return Promise.resolve(one.attempts < fails ? later : { kind: 'done' as const })
            },
            owner: () => owner,
            alone: (work) => work(),
            later: () => () => {},
            onChange: () => {},
            onSettled: () => {},
          })
          for (let turn = 0; turn < 50 && rows.size > 0; turn++) await sender.flush()
          expect(rows.size).toBe(0)
          expect(done).toEqual(order)
        },
      ),
    )
  })
})
