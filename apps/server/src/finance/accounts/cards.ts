import { AppError } from '@saddle/contract/errors.ts'
import {
  bankCardsMax,
  cardCodePauseMs,
  cardTriesMax,
  subAccountsMax,
  type bankAccountEndpoints,
} from '@saddle/contract/finance/accounts.ts'
import { platformNotes } from '@saddle/contract/finance/platformNotes.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import { isTaken } from '#kit/db/pgErrors.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, countRow, rowOfValues } from '#kit/db/rows.ts'
import { sql } from 'kysely'
import { askBank } from '../bank/ask.ts'
import type { BankInput } from '../bank/provider.ts'
import { openAccountNumber } from '../withdrawals/handlers.ts'
import { nextAsk } from './accounts.ts'
import { checkCompany, type AccountHandlerDeps } from './opening.ts'
import {
  cardRow,
  detailsOf,
  latestOpening,
  lockAccount,
  lockCard,
  openCard,
  presentCard,
  sealCard,
  selectCard,
  selectCards,
  selectSubAccounts,
  subAccountRow,
  type CardRow,
} from './store.ts'

type All = Handlers<typeof bankAccountEndpoints>
type Cards = Pick<
  All,
  | 'companySubAccounts'
  | 'addSubAccount'
  | 'bindCard'
  | 'bindCardCheck'
  | 'sendCardCode'
  | 'sendCardEmail'
  | 'unbindCard'
>

export function createCardHandlers(deps: AccountHandlerDeps): Cards {
  return { ...createBinding(deps), ...createChecking(deps), ...createSubAccounts(deps) }
}

const recordOf = ({ agent_id: agentId, id }: Pick<CardRow, 'agent_id' | 'id'>) =>
  ({ agentId, subjectKind: 'bank_card', subjectId: id }) as const

async function shownCard({ kit }: AccountHandlerDeps, { scope }: SessionCall, id: number) {
  const [row] = await kit.db.read(scope, (k) => selectCard({ id, scope }).compile(k))
  if (row === undefined) throw new AppError('not_found')
  return { suc: true as const, data: presentCard(kit.secrets, row) }
}

const holderRow = rowOfValues({ name: computed('text?', sql`f.customer_name_sealed`) })

/** In whose name the account is: money goes only to a card in that name. */
async function holderOf(tx: Tx, { kit }: AccountHandlerDeps, agentId: number): Promise<string> {
  const opening = await latestOpening(tx, agentId)
  if (opening !== undefined) return detailsOf(kit.secrets, opening).name
  const { rows } = await holderRow.select`from financial_account f where f.agent_id = ${agentId}`.execute(tx)
  const sealed = rows[0]?.name ?? null
  if (sealed === null) throw new AppError('account_not_open')
  return kit.secrets.decryptText({ purpose: 'financial-customer', sealed, context: String(agentId) })
}

/** Writes the card before the bank is asked, so that a card that the bank has is never unknown here. */
async function insertCard(
  deps: AccountHandlerDeps,
  call: SessionCall,
  given: { agentId: number; cardNo: string; bankName: string; bankMobile: string },
): Promise<{ id: number; order: BankInput<'card.bind'> }> {
  const { kit, audit } = deps
  const { agentId, cardNo, bankName, bankMobile } = given
  const at = new Date(kit.clock.now())
  return kit.db.system(async (tx) => {
    const { account_type } = await lockAccount(tx, agentId, at)
    const account = await openAccountNumber(tx, agentId)
    const { rows } = await cardRow.select`
      from bank_card c where c.agent_id = ${agentId} and c.state in ('checking', 'bound', 'unbinding')`.execute(tx)
    if (rows.length >= bankCardsMax) throw new AppError('bank_card_too_many')
    if (rows.some((row) => openCard(kit.secrets, row, row.card_sealed) === cardNo))
      throw new AppError('bank_card_known')
    const holder = await holderOf(tx, deps, agentId)
    const checkKind = account_type === 'company' ? 'amount' : 'code'
    const number = Buffer.from(kit.random.bytes(16)).toString('hex')
    const seal = sealCard(kit.secrets, agentId)
    const { id } = await tx
      .insertInto('bank_card')
      .values({
        agent_id: agentId,
        number,
        check_kind: checkKind,
        card_sealed: seal(cardNo),
        mobile_sealed: seal(bankMobile),
        holder_sealed: seal(holder),
        last_digits: cardNo.slice(-4),
        bank_name: bankName,
        code_sent_at: at,
        added_at: at,
        added_by_id: call.caller.operatorId,
        added_by: call.caller.name,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await audit.act(tx, call, { ...recordOf({ agent_id: agentId, id }), action: 'bank_card.add' })
    return { id, order: { number, account, cardNumber: cardNo, mobile: bankMobile, holder, checkKind } }
  })
}

const openRow = countRow

function createBinding(deps: AccountHandlerDeps): Pick<Cards, 'bindCard' | 'unbindCard'> {
  const { kit, audit, bank } = deps
  const end = (id: number, state: 'refused' | 'unbound', reason: string): Promise<unknown> =>
    kit.db.system((tx) =>
      tx
        .updateTable('bank_card')
        .set({ state, reason, ended_at: new Date(kit.clock.now()) })
        .where('id', '=', id)
        .execute(),
    )
  return {
    bindCard: async (input, call) => {
      checkCompany(call, input.agentId)
      const { id, order } = await insertCard(deps, call, input)
      try {
        await askBank(bank, 'card.bind', order)
      } catch (error) {
        // A lost answer as well: the person tries again, with a number of its own.
        await end(id, 'refused', error instanceof AppError ? error.message.slice(0, 200) : '')
        throw error
      }
      return shownCard(deps, call, id)
    },

    unbindCard: async ({ id, reason }, call) => {
      const card = await kit.db.system(async (tx) => {
        const row = await lockCard(tx, { id, scope: call.scope })
        if (row === undefined) throw new AppError('not_found')
        if (row.state === 'unbound' || row.state === 'refused') throw new AppError('bank_card_state')
        const { rows } = await openRow.select`
          from withdrawal w where w.card_id = ${id} and w.state in ('authorising', 'waiting', 'queued', 'sent', 'unknown')`.execute(
          tx,
        )
        if ((rows[0]?.count ?? 0) > 0) throw new AppError('bank_card_in_use')
        const at = new Date(kit.clock.now())
        // No money goes to it from now on, whatever the bank answers.
        const next =
          row.token === null || row.bound_at === null
            ? ({ state: 'unbound', ended_at: at } as const)
            : ({ state: 'unbinding' } as const)
        await tx
          .updateTable('bank_card')
          .set({ ...next, reason })
          .where('id', '=', id)
          .execute()
        await audit.act(tx, call, { ...recordOf(row), action: 'bank_card.unbind', after: { reason } })
        return row
      })
      if (card.token !== null) {
        await askBank(bank, 'card.unbind', { number: card.number, token: card.token })
        await end(id, 'unbound', reason)
      }
      return shownCard(deps, call, id)
    },
  }
}

function createChecking(deps: AccountHandlerDeps): Pick<Cards, 'bindCardCheck' | 'sendCardCode' | 'sendCardEmail'> {
  const { kit, audit, bank } = deps

  /** Counts the try before the bank is asked: nobody guesses more often by asking at the same moment. */
  const countTry = (call: SessionCall, id: number): Promise<CardRow> =>
    kit.db.system(async (tx) => {
      const row = await lockCard(tx, { id, scope: call.scope })
      if (row === undefined) throw new AppError('not_found')
      if (row.state !== 'checking') throw new AppError('bank_card_state')
      if (row.tries >= cardTriesMax) throw new AppError('bank_card_check_locked')
      await tx
        .updateTable('bank_card')
        .set({ tries: row.tries + 1 })
        .where('id', '=', id)
        .execute()
      return { ...row, tries: row.tries + 1 }
    })

  const conclude = async (call: SessionCall, row: CardRow, token: string | null): Promise<void> => {
    const at = new Date(kit.clock.now())
    const { id } = row
    await kit.db.system(async (tx) => {
      const isLast = row.tries >= cardTriesMax
      if (token !== null) {
        await tx
          .updateTable('bank_card')
          .set({ state: 'bound', token, bound_at: at })
          .where('id', '=', id)
          .where('state', '=', 'checking')
          .execute()
      } else if (isLast) {
        const refused = { state: 'refused', ended_at: at, reason: platformNotes.tooManyTries } as const
        await tx.updateTable('bank_card').set(refused).where('id', '=', id).execute()
      }
      await audit.act(tx, call, { ...recordOf(row), action: token === null ? 'bank_card.wrong' : 'bank_card.bound' })
    })
  }

  const remind = async (call: SessionCall, id: number, by: 'sms' | 'email') => {
    const at = new Date(kit.clock.now())
    const order = await kit.db.system(async (tx) => {
      const row = await lockCard(tx, { id, scope: call.scope })
      if (row === undefined) throw new AppError('not_found')
      if (row.state !== 'checking') throw new AppError('bank_card_state')
      const last = row.code_sent_at?.getTime() ?? 0
      if (at.getTime() - last < cardCodePauseMs) throw new AppError('code_too_soon')
      const opening = by === 'email' ? await latestOpening(tx, row.agent_id) : undefined
      const details = opening === undefined ? null : detailsOf(kit.secrets, opening)
      const email = details?.accountType === 'company' ? details.email : ''
      if (by === 'email' && email === '') throw new AppError('account_not_open')
      await tx
        .updateTable('bank_card')
        .set({ code_sent_at: at, codes_sent: sql`codes_sent + 1` })
        .where('id', '=', id)
        .execute()
      return { number: row.number, by, email }
    })
    await askBank(bank, 'card.remind', order)
    return shownCard(deps, call, id)
  }

  return {
    bindCardCheck: async ({ id, value }, call) => {
      const row = await countTry(call, id)
      const { isRight, token } = await askBank(bank, 'card.check', { number: row.number, value })
      await conclude(call, row, isRight ? token : null)
      if (!isRight) {
        const left = cardTriesMax - row.tries
        throw left === 0
          ? new AppError('bank_card_check_locked')
          : new AppError('bank_card_check_wrong', { values: { left } })
      }
      return shownCard(deps, call, id)
    },
    sendCardCode: ({ id }, call) => remind(call, id, 'sms'),
    sendCardEmail: ({ id }, call) => remind(call, id, 'email'),
  }
}

function createSubAccounts(deps: AccountHandlerDeps): Pick<Cards, 'companySubAccounts' | 'addSubAccount'> {
  const { kit, audit, bank } = deps
  return {
    companySubAccounts: async ({ agentId }, call) => {
      checkCompany(call, agentId)
      const { scope } = call
      const [cards, subAccounts] = await Promise.all([
        kit.db.read(scope, (k) => selectCards({ agentId, scope }).compile(k)),
        kit.db.read(scope, (k) => selectSubAccounts({ agentId, scope }).compile(k)),
      ])
      return {
        suc: true,
        data: {
          cards: cards.map((row) => presentCard(kit.secrets, row)),
          subAccounts: subAccounts.map(subAccountRow.present),
        },
      }
    },

    addSubAccount: async ({ agentId, name, note }, call) => {
      checkCompany(call, agentId)
      const at = new Date(kit.clock.now())
      const number = Buffer.from(kit.random.bytes(16)).toString('hex')
      const made = await kit.db
        .system(async (tx) => {
          await lockAccount(tx, agentId, at)
          const account = await openAccountNumber(tx, agentId)
          const { rows } = await countRow.select`from sub_account s where s.agent_id = ${agentId}`.execute(tx)
          if ((rows[0]?.count ?? 0) >= subAccountsMax) throw new AppError('sub_account_too_many')
          const values = { agent_id: agentId, number, name, note, added_at: at, next_ask_at: nextAsk(at.getTime(), 0) }
          const by = { added_by_id: call.caller.operatorId, added_by: call.caller.name }
          const { id } = await tx
            .insertInto('sub_account')
            .values({ ...values, ...by })
            .returning('id')
            .executeTakeFirstOrThrow()
          const record = { agentId, subjectKind: 'agent', subjectId: agentId } as const
          await audit.act(tx, call, { ...record, action: 'account.sub_account', after: { name } })
          return { id, account }
        })
        .catch((error: unknown) => {
          throw isTaken(error) ? new AppError('name_taken', { cause: error }) : error
        })
      // What the bank does not answer is asked for later, and asked anew under the same number.
      await bank?.ask('subAccount.open', { number, account: made.account, name }).catch((err: unknown) => {
        kit.log.warn({ err }, 'the bank has not answered about a sub-account')
      })
      const rows = await kit.db.read(call.scope, (k) => selectSubAccounts({ agentId, scope: call.scope }).compile(k))
      const row = rows.find(({ id }) => id === made.id)
      if (row === undefined) throw new AppError('not_found')
      return { suc: true, data: subAccountRow.present(row) }
    },
  }
}
