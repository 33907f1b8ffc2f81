import { accountStatuses } from '@saddle/contract/finance/accounts.ts'
import type { Audit } from '#audit/public.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf, type RowOf } from '#kit/db/rows.ts'
import type { Kit } from '#kit/kit.ts'
import { hourMs } from '@saddle/contract/time.ts'
import { saveAccount } from '../account/store.ts'
import type { Bank, ThingReport } from '../bank/provider.ts'
import { detailsOf, lockAccount, selectOpeningByNumber, type OpeningRow } from './store.ts'

export type BankAccounts = {
  /** Takes the bank's report about an application; one that is decided stays so. */
  takeAccount(report: ThingReport): Promise<void>
  takeSubAccount(report: ThingReport): Promise<void>
  /** Asks the bank for what is open; resolves to the number asked. */
  work(): Promise<number>
}

export type AccountDeps = {
  readonly kit: Pick<Kit, 'db' | 'clock' | 'log' | 'secrets'>
  readonly audit: Pick<Audit, 'write'>
  readonly bank: Bank | null
}

const firstAskMs = 10_000
export const nextAsk = (nowMs: number, asks: number): Date =>
  new Date(nowMs + Math.min(hourMs, firstAskMs * 2 ** Math.min(asks, 10)))

const subRow = rowOf('sub_account', 's', ['id', 'agent_id', 'state', 'asks', 'number'])
const dueRow = rowOf('account_opening', 'o', ['id', 'number', 'asks'])
const BATCH = 50

/** Accounts and sub-accounts whose opening the bank decides, and tells of or is asked for. */
export function createBankAccounts(deps: AccountDeps): BankAccounts {
  const { kit, bank } = deps
  const { db, clock, log } = kit

  const takeAccount: BankAccounts['takeAccount'] = (report) =>
    db.system(async (tx) => {
      const [row] = (await selectOpeningByNumber(report.number).execute(tx)).rows
      if (row?.state === 'submitted') await decide(tx, deps, row, report)
    })
  const takeSubAccount: BankAccounts['takeSubAccount'] = (report) =>
    db.system(async (tx) => {
      const { rows } =
        await subRow.select`from sub_account s where s.number = ${report.number} for no key update`.execute(tx)
      const [row] = rows
      if (row?.state !== 'opening' || (report.state !== 'open' && report.state !== 'refused')) return
      const { state, bankNumber: bank_number, reason } = report
      await tx
        .updateTable('sub_account')
        .set({ state, bank_number, reason, next_ask_at: null })
        .where('id', '=', row.id)
        .execute()
    })

  const askOpenings = async (ofBank: Bank): Promise<number> => {
    const now = new Date(clock.now())
    const rows = await db.systemRead((k) =>
      dueRow.select`
        from account_opening o where o.state = 'submitted' and o.next_ask_at <= ${now} order by o.next_ask_at limit ${BATCH}`.compile(
        k,
      ),
    )
    for (const { id, number, asks } of rows) {
      const next = nextAsk(clock.now(), asks + 1)
      await db.system((tx) =>
        tx
          .updateTable('account_opening')
          .set({ asks: asks + 1, next_ask_at: next })
          .where('id', '=', id)
          .execute(),
      )
      await quietly(log, async () => {
        const report = await ofBank.ask('account.query', { number })
        // The request got lost: it is made again, under the same number.
        if (report.state === 'none') await resubmit(deps, ofBank, number)
        else await takeAccount(report)
      })
    }
    return rows.length
  }
  const askSubAccounts = async (ofBank: Bank): Promise<number> => {
    const now = new Date(clock.now())
    const rows: RowOf<typeof subRow>[] = await db.systemRead((k) =>
      subRow.select`
        from sub_account s where s.state = 'opening' and s.next_ask_at <= ${now} order by s.next_ask_at limit ${BATCH}`.compile(
        k,
      ),
    )
    for (const { id, number, asks, agent_id: agentId } of rows) {
      const next = nextAsk(clock.now(), asks + 1)
      await db.system((tx) =>
        tx
          .updateTable('sub_account')
          .set({ asks: asks + 1, next_ask_at: next })
          .where('id', '=', id)
          .execute(),
      )
      await quietly(log, async () => {
        const report = await ofBank.ask('subAccount.query', { number })
        if (report.state === 'none') await reopenSubAccount(deps, ofBank, { id, agentId, number })
        else await takeSubAccount(report)
      })
    }
    return rows.length
  }
  return {
    takeAccount,
    takeSubAccount,
    work: async () => (bank === null ? 0 : (await askOpenings(bank)) + (await askSubAccounts(bank))),
  }
}

async function quietly(log: Kit['log'], work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (err) {
    log.warn({ err }, 'the bank has not said what became of an account')
  }
}

/** What the bank is told of an application. */
export function orderOf(secrets: Kit['secrets'], row: OpeningRow) {
  const details = detailsOf(secrets, row)
  const { number } = row
  const common = { number, accountType: details.accountType, name: details.name, mobile: details.mobile }
  // Unique over all companies, as the bank wants it; a person may hold several.
  const loginNumber = `saddle-${row.agent_id}-${row.id}`.padEnd(11, '0')
  if (details.accountType === 'person') return { ...common, loginNumber, certificate: details.identityNumber }
  const { creditCode: certificate, legalPerson, legalPersonId: legalPersonCertificate, email } = details
  return { ...common, loginNumber, certificate, legalPerson, legalPersonCertificate, email }
}

async function resubmit({ kit }: AccountDeps, bank: Bank, number: string): Promise<void> {
  const row = await kit.db.system(async (tx) => (await selectOpeningByNumber(number).execute(tx)).rows[0])
  if (row?.state === 'submitted') await bank.ask('account.open', orderOf(kit.secrets, row))
}

async function reopenSubAccount(
  { kit }: AccountDeps,
  bank: Bank,
  { id, agentId, number }: { id: number; agentId: number; number: string },
): Promise<void> {
  const [sub] = await kit.db.systemRead((k) =>
    rowOf('sub_account', 's', ['name']).select`from sub_account s where s.id = ${id}`.compile(k),
  )
  const [account] = await kit.db.systemRead((k) =>
    rowOf('financial_account', 'f', ['bank_number'])
      .select`from financial_account f where f.agent_id = ${agentId}`.compile(k),
  )
  if (sub === undefined || !account?.bank_number) return
  await bank.ask('subAccount.open', { number, account: account.bank_number, name: sub.name })
}

async function decide(tx: Tx, { kit, audit }: AccountDeps, row: OpeningRow, report: ThingReport): Promise<void> {
  if (report.state !== 'open' && report.state !== 'refused') return
  const at = new Date(kit.clock.now())
  const isOpen = report.state === 'open'
  const { agent_id: agentId } = row
  await lockAccount(tx, agentId, at)
  const state = isOpen ? 'opened' : 'refused'
  await tx
    .updateTable('account_opening')
    .set({ state, reason: report.reason, decided_at: at, next_ask_at: null })
    .where('id', '=', row.id)
    .execute()
  const details = detailsOf(kit.secrets, row)
  await saveAccount({
    tx,
    secrets: kit.secrets,
    account: {
      agentId,
      accountLevel: isOpen ? report.level : null,
      authStatus: isOpen ? 1 : 0,
      status: isOpen ? accountStatuses.active : accountStatuses.refused,
      accountType: details.accountType,
      customerName: details.name,
      name: details.name,
    },
  })
  await tx
    .updateTable('financial_account')
    .set({ changed_at: at, ...(isOpen && { bank_number: report.bankNumber, opened_at: at }) })
    .where('agent_id', '=', agentId)
    .execute()
  await audit.write(tx, {
    agentId,
    operatorId: null,
    action: isOpen ? 'account.opened' : 'account.refused',
    subjectKind: 'agent',
    subjectId: agentId,
    after: isOpen ? {} : { reason: report.reason },
  })
}
