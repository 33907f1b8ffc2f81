import { createHash } from 'node:crypto'
import {
  moneyActCodes,
  moneyActFields,
  moneyActList,
  moneyActs,
  type MoneyAct,
  type secondPersonEndpoints,
} from '@saddle/contract/finance/secondPerson.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { businessDayOf, businessDayStart, hourMs } from '@saddle/contract/time.ts'
import type { Audit } from '#audit/public.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Kit } from '#kit/kit.ts'
import { serveList } from '#kit/list/serveList.ts'
import { tell } from '#notices/public.ts'
import { readSetting } from '#settings/public.ts'
import {
  actOf,
  decide,
  expired,
  insertDone,
  insertWaiting,
  lockDay,
  moneyActRows,
  selectAct,
  type MoneyActionRow,
  type NewAct,
} from './store.ts'

/** Does a confirmed act for whoever confirms it, with the input that was asked for. */
type Doer = (input: unknown, call: SessionCall) => Promise<unknown>

/** Throws where the caller may not decide about a request of another person that is in their scope. */
type DecisionCheck = (
  call: SessionCall,
  row: { readonly agent_id: number; readonly area_id: number | null },
) => Promise<void>

export type SecondPerson = {
  /** Says who does an act once it is confirmed; once for each, when the platform is put together. */
  serve(act: MoneyAct, doer: Doer, mayDecide?: DecisionCheck): void
  /**
   * Runs the work of a call that moves money by hand, which counts what it does. Where that goes above what one person may
   * do in a day, nothing of it is done, it waits for a second person, and this throws `money_held`.
   */
  hold<T>(call: SessionCall, input: unknown, work: (count: Count) => Promise<T>): Promise<T>
  /** Requests an act that nobody does alone, whatever its sum. Resolves to the number of the request. */
  request(call: SessionCall, input: unknown, act: NewAct): Promise<number>
}

/** To be called in the work's transaction before anything is posted. */
export type Count = (tx: Tx, act: NewAct) => Promise<void>

/** More than one person may do in a day: rolls the act's transaction back. */
class AboveLimit extends Error {
  readonly act: NewAct
  constructor(act: NewAct) {
    super('above what one person may do in a day')
    this.act = act
  }
}

type Parts = { readonly kit: Kit; readonly audit: Audit }

export function createSecondPerson(parts: Parts): {
  readonly secondPerson: SecondPerson
  readonly handlers: Handlers<typeof secondPersonEndpoints>
  /** Expires requests that were not decided in time. */
  readonly expire: () => Promise<number>
} {
  const { kit, audit } = parts
  const list = serveList(parts, moneyActList, {
    name: 'money-actions',
    prepare: (_, { caller }) => ({ allowed: moneyActs.filter((act) => caller.permissions.has(moneyActCodes[act])) }),
    rows: moneyActRows,
    present: (row, { caller }) => actOf(row, caller),
    file: { action: 'money_action.export', fields: moneyActFields },
  })
  const doers = new Map<MoneyAct, Doer>()
  const checks = new Map<MoneyAct, DecisionCheck>()
  /** Calls that carry out another person's request, and the request. */
  const confirming = new WeakMap<SessionCall, number>()

  const hold: SecondPerson['hold'] = async (call, input, work) => {
    const id = confirming.get(call)
    const count: Count = (tx, act) =>
      id === undefined ? countDone(parts, tx, call, act) : confirmIn(parts, tx, call, id)
    try {
      return await work(count)
    } catch (error) {
      if (!(error instanceof AboveLimit)) throw error
      throw new AppError('money_held', { values: { id: await keepWaiting(parts, call, error.act, input) } })
    }
  }

  return {
    secondPerson: {
      serve: (act, doer, mayDecide) => {
        doers.set(act, doer)
        if (mayDecide !== undefined) checks.set(act, mayDecide)
      },
      hold,
      request: (call, input, act) => keepWaiting(parts, call, act, input),
    },
    expire: () => expireAll(parts),
    handlers: {
      listMoneyActs: list.page,
      sumMoneyActs: list.sums,
      exportMoneyActs: list.file,

      confirmMoneyAct: async ({ id }, call) => {
        const row = await readAct(parts, call, id)
        if (row.operator_id === call.caller.operatorId) throw new AppError('second_person_same')
        const doer = doers.get(row.act)
        if (doer === undefined) throw new Error(`nobody does ${row.act}`)
        const own = { ...call }
        confirming.set(own, id)
        await doer(row.input, own)
        return { suc: true, data: { state: 'confirmed' } }
      },

      rejectMoneyAct: async ({ id, note }, call) => {
        const row = await readAct(parts, call, id)
        if (row.operator_id !== call.caller.operatorId) await checks.get(row.act)?.(call, row)
        const state = row.operator_id === call.caller.operatorId ? 'withdrawn' : 'rejected'
        const at = new Date(kit.clock.now())
        await kit.db.system(async (tx) => {
          if (!(await decide(tx, { id, state, by: call.caller, at, note }))) throw new AppError('money_action_decided')
          const after = { moneyActId: id, cents: row.cents, note }
          await audit.act(tx, call, { ...subjectOf(row), action: `money_action.${state}`, after })
        })
        return { suc: true, data: { state } }
      },
    },
  }
}

const subjectOf = ({ agent_id: agentId, rider_id }: Pick<MoneyActionRow, 'agent_id' | 'rider_id'>) =>
  rider_id === null
    ? ({ agentId, subjectKind: 'agent', subjectId: agentId } as const)
    : ({ agentId, subjectKind: 'rider', subjectId: rider_id } as const)

/** The request of the scope, of a kind that the caller may do. Throws not_found. */
async function readAct({ kit }: Parts, { scope, caller }: SessionCall, id: number): Promise<MoneyActionRow> {
  const [row] = await kit.db.read(scope, (k) => selectAct({ scope, id }).compile(k))
  if (row === undefined || !caller.permissions.has(moneyActCodes[row.act])) {
    throw new AppError('not_found')
  }
  return row
}

async function countDone({ kit }: Parts, tx: Tx, { caller }: SessionCall, act: NewAct): Promise<void> {
  const nowMs = kit.clock.now()
  const limitCents = kit.config.secondPersonYuan * 100
  const from = new Date(businessDayStart(businessDayOf(nowMs)))
  const before = await lockDay(tx, { operatorId: caller.operatorId, from })
  if (limitCents > 0 && before + act.cents > limitCents) throw new AboveLimit(act)
  await insertDone(tx, { ...act, by: caller, at: new Date(nowMs) })
}

/** In the transaction of the act itself, so that it is done once or not at all. */
async function confirmIn({ kit, audit }: Parts, tx: Tx, call: SessionCall, id: number): Promise<void> {
  const [row] = (await selectAct({ scope: call.scope, id }).execute(tx)).rows
  const at = new Date(kit.clock.now())
  const isDecided = row === undefined || !(await decide(tx, { id, state: 'confirmed', by: call.caller, at, note: '' }))
  if (isDecided) throw new AppError('money_action_decided')
  const after = { moneyActId: id, cents: row.cents, operatorId: row.operator_id }
  await audit.act(tx, call, { ...subjectOf(row), action: 'money_action.confirmed', after })
}

async function keepWaiting({ kit, audit }: Parts, call: SessionCall, act: NewAct, input: unknown): Promise<number> {
  const at = new Date(kit.clock.now())
  const inputHash = createHash('sha256').update(JSON.stringify(input)).digest('hex')
  return kit.db.system(async (tx) => {
    const hours = await readSetting(tx, 'money_act_hours', { agentId: act.agentId })
    const expiresAt = new Date(at.getTime() + hours * hourMs)
    const { id, isNew } = await insertWaiting(tx, { ...act, by: call.caller, at, expiresAt, input, inputHash })
    const after = { moneyActId: id, cents: act.cents, reason: act.reason }
    if (isNew) {
      await tell(tx, {
        event: 'money_waiting',
        agentId: act.agentId,
        subject: `money action ${id}`,
        values: { act: act.act, cents: act.cents, person: call.caller.name },
        path: act.act === 'split_correction' ? '/financial/SplitBill?view=corrections' : '/user-info?view=acts',
        codes: [moneyActCodes[act.act]],
        at,
      })
      await audit.act(tx, call, {
        ...subjectOf({ agent_id: act.agentId, rider_id: act.riderId }),
        action: 'money_action.asked',
        after,
      })
    }
    return id
  })
}

async function expireAll({ kit, audit }: Parts): Promise<number> {
  const at = new Date(kit.clock.now())
  return kit.db.system(async (tx) => {
    const due = await expired(tx, at)
    for (const row of due) {
      const { id, cents } = row
      if (!(await decide(tx, { id, state: 'expired', by: null, at, note: '' }))) continue
      const after = { moneyActId: id, cents }
      await audit.write(tx, { ...subjectOf(row), operatorId: null, action: 'money_action.expired', after })
    }
    return due.length
  })
}
