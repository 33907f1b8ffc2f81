import { AppError } from '@saddle/contract/errors.ts'
import {
  usualWithdrawalTerms,
  withdrawalFields,
  withdrawalList,
  withdrawalPasswordMs,
  withdrawalSecondMs,
  type Withdrawal,
  type withdrawalEndpoints,
} from '@saddle/contract/finance/withdrawals.ts'
import { financialStatusActive } from '@saddle/contract/constants.ts'
import { yuanText } from '@saddle/contract/money.ts'
import { businessDayOf, businessOffsetMs } from '@saddle/contract/time.ts'
import { platformNotes } from '@saddle/contract/finance/platformNotes.ts'
import type { Caller, Handlers, SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf, type RowOf } from '#kit/db/rows.ts'
import { serveList } from '#kit/list/serveList.ts'
import { tell } from '#notices/public.ts'
import type { MoneyDeps } from '../deps.ts'
import { askBank } from '../bank/ask.ts'
import type { Bank } from '../bank/provider.ts'
import { withdrawalRequest, withdrawalReturned } from '../ledger/recipes.ts'
import { needsSecond, restsUntil } from './rules.ts'
import { readSources } from '../payouts/sources.ts'
import {
  changeWithdrawal,
  dayCentsOf,
  drawnOfDay,
  giveBackToDay,
  insertWithdrawal,
  lockWithdrawal,
  presentStep,
  presentTerms,
  selectSteps,
  selectTerms,
  selectWithdrawal,
  shownRow,
  takeOfDay,
  termsOf,
  withdrawalRows,
  type WithdrawalRow,
} from './store.ts'
import { expectState, movementOf, type Withdrawals } from './withdrawals.ts'

type Deps = Pick<MoneyDeps, 'kit' | 'audit' | 'ledger'> & {
  readonly bank: Bank | null
  readonly withdrawals: Withdrawals
}
type All = Handlers<typeof withdrawalEndpoints>

const ownScope = ({ agentId, operatorId }: Caller) => ({ agentIds: [agentId], areaIds: [], operatorId })
const personOf = ({ caller }: SessionCall) => ({ operatorId: caller.operatorId, name: caller.name })

export function createWithdrawalHandlers(deps: Deps): All {
  return { ...createOwn(deps), ...createDeciding(deps), ...createReading(deps), ...createTerms(deps) }
}

const cardRow = rowOf('bank_card', 'c', ['id', 'state', 'bound_at', 'token'])
const accountRow = rowOf('financial_account', 'f', ['status', 'bank_number'])

/** The card of the company, if money may go to it now. Throws. */
async function usableCard(tx: Tx, { agentId, cardId, nowMs }: { agentId: number; cardId: number; nowMs: number }) {
  const { rows } = await cardRow.select`
    from bank_card c where c.id = ${cardId} and c.agent_id = ${agentId} for share`.execute(tx)
  const [card] = rows
  if (card === undefined) throw new AppError('not_found')
  if (card.state !== 'bound' || card.bound_at === null || card.token === null) throw new AppError('bank_card_state')
  const until = restsUntil(card.bound_at.getTime())
  if (until > nowMs) {
    const at = new Date(until + businessOffsetMs).toISOString().slice(0, 16).replace('T', ' ')
    throw new AppError('bank_card_rests', { values: { at } })
  }
  return { ...card, token: card.token }
}

/** The bank's number of the company's account. Throws account_not_open. */
export async function openAccountNumber(tx: Tx, agentId: number): Promise<string> {
  const [account]: RowOf<typeof accountRow>[] = (
    await accountRow.select`from financial_account f where f.agent_id = ${agentId}`.execute(tx)
  ).rows
  if (account?.status !== financialStatusActive || account.bank_number === null) throw new AppError('account_not_open')
  return account.bank_number
}

async function allowedTerms(tx: Tx, agentId: number) {
  const { version, terms } = await termsOf(tx, agentId)
  if (!terms.isAllowed) {
    const [last] = (await selectTerms({ agentId, scope: { agentIds: [agentId] } }).execute(tx)).rows
    throw new AppError('withdrawal_stopped', { values: { reason: last?.reason ?? '' } })
  }
  return { version, terms }
}

function createOwn(deps: Deps): Pick<All, 'fileWithdrawal' | 'authoriseWithdrawal' | 'sendWithdrawal'> {
  const { kit, audit, ledger, bank, withdrawals } = deps
  return {
    fileWithdrawal: async ({ cardId, cents }, call) => {
      const { agentId } = call.caller
      const nowMs = kit.clock.now()
      const day = businessDayOf(nowMs)
      const by = personOf(call)
      return kit.db.system(async (tx) => {
        await openAccountNumber(tx, agentId)
        const { version, terms } = await allowedTerms(tx, agentId)
        if (cents < terms.minCents) {
          throw new AppError('withdrawal_below_min', { values: { amount: yuanText(terms.minCents) } })
        }
        await usableCard(tx, { agentId, cardId, nowMs })
        const available = await ledger.balanceOf({ agentId, account: { kind: 'agent_available' } }, tx)
        if (available < cents) throw new AppError('balance_insufficient')
        const dayCents = await dayCentsOf(tx, { agentId, operatorId: by.operatorId, day })
        const expiresAt = nowMs + withdrawalPasswordMs
        const id = await insertWithdrawal(tx, {
          agentId,
          number: Buffer.from(kit.random.bytes(16)).toString('hex'),
          cardId,
          cents,
          feeCents: terms.feeCents,
          termsVersion: version,
          day,
          at: new Date(nowMs),
          expiresAt: new Date(expiresAt),
          by,
        })
        await audit.act(tx, call, { ...recordOf({ agentId, id }), action: 'withdrawal.filed', after: { cents } })
        const second = needsSecond(terms, { cents, dayCents })
        return { suc: true as const, data: { id, feeCents: terms.feeCents, needsSecond: second, expiresAt } }
      })
    },

    authoriseWithdrawal: async ({ id }, { caller }) => {
      const order = await kit.db.system(async (tx) => {
        const row = expectState(await lockWithdrawal(tx, { id, scope: ownScope(caller) }), 'authorising')
        // The password is that of whoever filed it.
        if (row.asked_by_id !== caller.operatorId) throw new AppError('withdrawal_state')
        const account = await openAccountNumber(tx, row.agent_id)
        const { token } = await usableCard(tx, { agentId: row.agent_id, cardId: row.card_id, nowMs: kit.clock.now() })
        return { number: row.number, account, token, cents: row.cents - row.fee_cents }
      })
      return { suc: true, data: await askBank(bank, 'auth.link', order) }
    },

    sendWithdrawal: async ({ id }, call) => {
      const { caller } = call
      const [shown] = await kit.db.read(ownScope(caller), (k) =>
        selectWithdrawal({ id, scope: ownScope(caller) }).compile(k),
      )
      if (shown === undefined) throw new AppError('not_found')
      const { state: auth } = await askBank(bank, 'auth.query', { number: shown.number })
      if (auth !== 'granted') throw new AppError('withdrawal_not_authorised')
      const state = await kit.db.system(async (tx) => {
        const row = expectState(await lockWithdrawal(tx, { id, scope: ownScope(caller) }), 'authorising')
        if (row.asked_by_id !== caller.operatorId) throw new AppError('withdrawal_state')
        return submit(tx, deps, call, row)
      })
      if (state === 'queued') await withdrawals.send({ id, agent_id: shown.agent_id, number: shown.number })
      return { suc: true, data: { id, state: await stateNow(deps, call, id) } }
    },
  }
}

/** Takes the money out of what is available; above one person's limit it waits for a second one. */
async function submit(
  tx: Tx,
  { kit, audit, ledger }: Deps,
  call: SessionCall,
  row: WithdrawalRow,
): Promise<'waiting' | 'queued'> {
  const nowMs = kit.clock.now()
  const at = new Date(nowMs)
  const { agent_id: agentId, cents, id } = row
  if (row.expires_at <= at) throw new AppError('withdrawal_state')
  await openAccountNumber(tx, agentId)
  const { terms } = await allowedTerms(tx, agentId)
  await usableCard(tx, { agentId, cardId: row.card_id, nowMs })
  // Before the sum of the day is read: two of one person wait for each other here.
  if (!(await takeOfDay(tx, { agentId, day: row.day, cents, dailyCents: terms.dailyCents }))) {
    const left = Math.max(0, terms.dailyCents - (await drawnOfDay(tx, { agentId, day: row.day })))
    throw new AppError('withdrawal_above_day', { values: { amount: yuanText(left) } })
  }
  const operatorId = row.asked_by_id ?? 0
  const dayCents = await dayCentsOf(tx, { agentId, operatorId, day: row.day })
  const second = needsSecond(terms, { cents, dayCents })
  const state = second ? 'waiting' : 'queued'
  await changeWithdrawal(tx, row, {
    state,
    at,
    by: personOf(call),
    note: second ? platformNotes.passwordAndSecond : platformNotes.password,
    nextAt: second ? null : at,
    values: { needs_second: second, ...(second && { expires_at: new Date(nowMs + withdrawalSecondMs) }) },
  })
  if (second)
    await tell(tx, {
      event: 'withdrawal_waiting',
      agentId,
      subject: `withdrawal ${id}`,
      values: { cents, person: call.caller.name },
      path: '/financial/CostCenter/withdraw',
      at,
    })
  await audit.act(tx, call, {
    ...recordOf({ agentId, id }),
    action: second ? 'withdrawal.waiting' : 'withdrawal.queued',
    after: { cents },
  })
  await ledger.post(withdrawalRequest(movementOf(row, nowMs)), tx)
  return state
}

const recordOf = ({ agentId, id }: { agentId: number; id: number }) =>
  ({ agentId, subjectKind: 'withdrawal', subjectId: id }) as const

async function stateNow({ kit }: Deps, { scope, caller }: SessionCall, id: number): Promise<Withdrawal['state']> {
  const agentIds = [...new Set([...scope.agentIds, caller.agentId])]
  const [row] = await kit.db.read({ ...scope, agentIds }, (k) =>
    selectWithdrawal({ id, scope: { agentIds } }).compile(k),
  )
  if (row === undefined) throw new AppError('not_found')
  return row.state
}

function createDeciding(deps: Deps): Pick<All, 'confirmWithdrawal' | 'cancelWithdrawal' | 'askWithdrawal'> {
  const { kit, audit, ledger, withdrawals } = deps
  return {
    confirmWithdrawal: async ({ id }, call) => {
      const at = new Date(kit.clock.now())
      const by = personOf(call)
      const row = await kit.db.system(async (tx) => {
        const found = expectState(await lockWithdrawal(tx, { id, scope: call.scope }), 'waiting')
        if (found.asked_by_id === by.operatorId) throw new AppError('second_person_same')
        if (found.expires_at <= at) throw new AppError('withdrawal_state')
        await allowedTerms(tx, found.agent_id)
        await changeWithdrawal(tx, found, {
          state: 'queued',
          at,
          by,
          note: platformNotes.confirmed,
          nextAt: at,
          values: { second_by_id: by.operatorId, second_by: by.name },
        })
        const after = { cents: found.cents }
        await audit.act(tx, call, {
          ...recordOf({ agentId: found.agent_id, id }),
          action: 'withdrawal.confirmed',
          after,
        })
        return found
      })
      await withdrawals.send(row)
      return { suc: true, data: { id, state: await stateNow(deps, call, id) } }
    },

    cancelWithdrawal: async ({ id, note }, call) => {
      const nowMs = kit.clock.now()
      const at = new Date(nowMs)
      await kit.db.system(async (tx) => {
        const row = expectState(await lockWithdrawal(tx, { id, scope: call.scope }), 'authorising', 'waiting')
        const isOwn = row.asked_by_id === call.caller.operatorId
        if (!isOwn && row.state === 'authorising') throw new AppError('withdrawal_state')
        const reason = note === '' ? (isOwn ? platformNotes.takenBack : platformNotes.refusedBySecond) : note
        await changeWithdrawal(tx, row, {
          state: 'cancelled',
          at,
          by: personOf(call),
          note: reason,
          nextAt: null,
          values: { ended_at: at, reason },
        })
        const after = { cents: row.cents, note: reason }
        await audit.act(tx, call, { ...recordOf({ agentId: row.agent_id, id }), action: 'withdrawal.cancelled', after })
        if (row.state !== 'waiting') return
        await giveBackToDay(tx, row)
        await ledger.post(withdrawalReturned({ ...movementOf(row, nowMs), reason }), tx)
      })
      return { suc: true, data: { id, state: 'cancelled' } }
    },

    askWithdrawal: async ({ id }, call) => {
      const [row] = await kit.db.read(call.scope, (k) => selectWithdrawal({ id, scope: call.scope }).compile(k))
      if (row === undefined) throw new AppError('not_found')
      if (row.state === 'sent' || row.state === 'unknown' || row.state === 'paid') await withdrawals.ask(row)
      return { suc: true, data: { id, state: await stateNow(deps, call, id) } }
    },
  }
}

function createReading(
  deps: Deps,
): Pick<All, 'listWithdrawals' | 'sumWithdrawals' | 'exportWithdrawals' | 'withdrawalDetail'> {
  const { kit } = deps
  const present = (row: RowOf<typeof shownRow>, { caller }: Pick<SessionCall, 'caller'>): Withdrawal => {
    const {
      agentId,
      cardId: _card,
      askedById,
      bankAt: _at,
      asks: _asks,
      sends: _sends,
      day: _day,
      ...shown
    } = shownRow.present(row)
    return { ...shown, agentId, isOwn: askedById === caller.operatorId }
  }
  const list = serveList(deps, withdrawalList, {
    name: 'withdrawals',
    rows: withdrawalRows,
    present,
    file: { action: 'withdrawal.export', fields: withdrawalFields },
  })
  return {
    listWithdrawals: list.page,
    sumWithdrawals: list.sums,
    exportWithdrawals: list.file,

    withdrawalDetail: async ({ id }, call) => {
      const { scope } = call
      const [row] = await kit.db.read(scope, (k) => selectWithdrawal({ id, scope }).compile(k))
      if (row === undefined) throw new AppError('not_found')
      const [steps, proof] = await Promise.all([
        kit.db.read(scope, (k) => selectSteps({ id, scope }).compile(k)),
        readSources(kit.db, { scope, agentId: row.agent_id, withdrawalId: id }),
      ])
      return { suc: true, data: { withdrawal: present(row, call), steps: steps.map(presentStep), ...proof } }
    },
  }
}

const parentRow = rowOf('agent', 'a', ['parent_id'])

/** Terms of a company are set from above; the company at the top sets its own. */
async function mayChange({ kit }: Deps, { caller, scope }: SessionCall, agentId: number): Promise<boolean> {
  if (!caller.permissions.has('financial_06') || !scope.agentIds.includes(agentId)) return false
  if (caller.agentId !== agentId) return true
  const [row] = await kit.db.read(scope, (k) => parentRow.select`from agent a where a.id = ${agentId}`.compile(k))
  return row !== undefined && row.parent_id === null
}

function createTerms(deps: Deps): Pick<All, 'withdrawalTerms' | 'setWithdrawalTerms'> {
  const { kit, audit } = deps
  return {
    withdrawalTerms: async ({ agentId = null }, call) => {
      const { scope, caller } = call
      const wanted = agentId ?? caller.agentId
      if (!scope.agentIds.includes(wanted)) throw new AppError('not_found')
      const rows = await kit.db.read(scope, (k) => selectTerms({ agentId: wanted, scope }).compile(k))
      const versions = rows.map(presentTerms)
      const canChange = await mayChange(deps, call, wanted)
      return { suc: true, data: { terms: versions[0]?.terms ?? usualWithdrawalTerms, canChange, versions } }
    },

    setWithdrawalTerms: async ({ agentId, version, terms, reason }, call) => {
      if (!call.scope.agentIds.includes(agentId)) throw new AppError('not_found')
      if (!(await mayChange(deps, call, agentId))) throw new AppError('withdrawal_terms_own')
      return kit.db.system(async (tx) => {
        const before = await termsOf(tx, agentId)
        if (before.version !== version) throw new AppError('conflict')
        await tx
          .insertInto('withdrawal_terms')
          .values({
            agent_id: agentId,
            version: version + 1,
            terms: JSON.stringify(terms),
            reason,
            made_at: new Date(kit.clock.now()),
            made_by_id: call.caller.operatorId,
            made_by: call.caller.name,
          })
          .execute()
        const switched = terms.isAllowed ? 'allow' : 'stop'
        const change = before.terms.isAllowed === terms.isAllowed ? 'terms' : switched
        const record = { agentId, subjectKind: 'agent', subjectId: agentId } as const
        await audit.act(tx, call, {
          ...record,
          action: `withdrawal.${change}`,
          before: { terms: before.terms },
          after: { terms, reason },
        })
        return { suc: true as const, data: { version: version + 1 } }
      })
    },
  }
}
