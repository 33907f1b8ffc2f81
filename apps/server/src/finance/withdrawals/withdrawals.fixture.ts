import { createAudit } from '#audit/public.ts'
import { randomBelow } from '#kit/random.ts'
import type { TestDatabase } from '#test/database.ts'
import { testKit } from '#test/kit.ts'
import { createPhotos } from '#photos/public.ts'
import { createBankAccounts } from '../accounts/accounts.ts'
import { createBankAccountHandlers } from '../accounts/handlers.ts'
import { createBankAdapter } from '../bank/adapter.ts'
import { bankServices, type Bank } from '../bank/provider.ts'
import { createSandboxBank, type SandboxBank } from '../bank/sandbox/bank.ts'
import { createMemoryJournal } from '../bank/sandbox/journal.ts'
import { createSandboxKeys, createSandboxServer, sendInside } from '../bank/sandbox/server.ts'
import { createLedger } from '../ledger/ledger.ts'
import { createWithdrawalHandlers } from './handlers.ts'
import { financePerson } from './submitAll.fixture.ts'
import { createWithdrawals } from './withdrawals.ts'

const hex = (text: string): string => Buffer.from(text.padEnd(16, '.')).toString('hex')

/** The same services and the same schemas, without envelopes. */
const plainBank = (bank: SandboxBank): Bank => ({
  ask: async (service, input) => bankServices[service].output.parse(bank.serve(service, input)) as never,
  read: () => {
    throw new Error('a plain bank sends no envelopes')
  },
})

/**
 * A company with an open account, a bound card and money, before a sandbox bank that is spoken to with the real adapter:
 * sealed and signed, without a socket in between. A plain one is asked without envelopes, and checks passwords at little
 * cost: for many sequences.
 */
export async function bankWorld({
  db,
  owner,
  isPlain = false,
}: Pick<TestDatabase, 'db' | 'owner'> & { readonly isPlain?: boolean }) {
  const kit = testKit(db)
  const { clock, random } = kit
  const audit = createAudit(kit)
  const ledger = createLedger(kit)
  const bank = createSandboxBank({
    clock,
    random,
    journal: createMemoryJournal(),
    pagesAt: () => 'https://bank.example',
    ...(isPlain && { passwordCost: 2 }),
  })
  const keys = createSandboxKeys()
  const received: string[] = []
  const server = createSandboxServer({
    clock,
    random,
    bank,
    keys: keys.bank,
    deliver: async (body) => {
      received.push(body)
      return true
    },
  })
  const sealedAdapter = createBankAdapter({
    clock,
    random,
    send: sendInside(server),
    memberId: server.memberId,
    url: () => 'https://bank.example/api',
    keys: keys.platform,
  })
  const adapter = isPlain ? plainBank(bank) : sealedAdapter
  const withdrawals = createWithdrawals({ kit, audit, ledger, bank: adapter })
  const handlers = createWithdrawalHandlers({ kit, audit, ledger, bank: adapter, withdrawals })
  const accounts = createBankAccounts({ kit, audit, bank: adapter })
  const accountHandlers = createBankAccountHandlers({ kit, audit, ledger, bank: adapter, photos: createPhotos(kit) })
  /** Lets the bank work, and takes what it tells. */
  const deliver = async (): Promise<void> => {
    if (!isPlain) await server.sendNotices()
    const sealed = received.splice(0).map((body) => adapter.read(Buffer.from(body)))
    for (const notice of isPlain ? bank.work() : sealed) {
      if (notice.about === 'payout') await withdrawals.take(notice.report)
      else if (notice.about === 'account') await accounts.takeAccount(notice.report)
      else await accounts.takeSubAccount(notice.report)
    }
  }
  await owner
    .insertInto('agent')
    .values([
      { id: 2, company: '平台' },
      { id: 3, parent_id: 2, company: '东湖' },
      { id: 4, parent_id: 2, company: '西山' },
    ])
    .execute()

  const openAccount = async (agentId: number): Promise<{ cardId: number; token: string; account: string }> => {
    const number = hex(`account ${agentId}`)
    const mobile = '13900000000'
    const person = { accountType: 'company', certificate: '91320594MA1XABCD2E', mobile, loginNumber: mobile } as const
    await adapter.ask('account.open', { number, ...person, name: '东湖出行有限公司' })
    clock.advance(5_000)
    bank.work()
    const { bankNumber: account } = await adapter.ask('account.query', { number })
    if (account === null) throw new Error('the sandbox opens accounts')
    const card = hex(`card ${agentId}`)
    const bound = { number: card, account, cardNumber: '6222020000001234', mobile, holder: '东湖出行有限公司' }
    await adapter.ask('card.bind', { ...bound, checkKind: 'code' })
    const [, value = ''] = /验证码 (\d{6})/.exec(bank.messages()[0]?.text ?? '') ?? []
    const { token } = await adapter.ask('card.check', { number: card, value })
    if (token === null) throw new Error('the sandbox binds cards')
    const at = new Date(clock.now())
    await owner
      .insertInto('financial_account')
      .values({
        agent_id: agentId,
        status: 2,
        account_level: 2,
        auth_status: 1,
        account_type: 'company',
        bank_number: account,
      })
      .execute()
    const sealed = { card_sealed: 'x', mobile_sealed: 'x', holder_sealed: 'x' }
    const { id: cardId } = await owner
      .insertInto('bank_card')
      .values({
        agent_id: agentId,
        number: card,
        state: 'bound',
        check_kind: 'code',
        ...sealed,
        last_digits: '1234',
        bank_name: '招商银行',
        token,
        added_at: at,
        added_by: '财务',
        bound_at: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { cardId, token, account }
  }

  const addMoney = (agentId: number, cents: number, reference = `test:${agentId}:${ledgerNumber()}`) =>
    ledger.post({
      agentId,
      kind: 'adjustment',
      reference,
      lines: [
        { account: { kind: 'adjustment' }, amountCents: -cents },
        { account: { kind: 'agent_available' }, amountCents: cents },
      ],
    })
  let posted = 0
  const ledgerNumber = (): number => {
    posted += 1
    return posted
  }
  /** The person enters the password at the bank: sets one first if there is none. */
  const enterPassword = async (redirectUrl: string, account: string): Promise<void> => {
    if (!known.has(account)) await setPassword(account)
    known.add(account)
    const refused = bank.counter.authorise(tokenOf(redirectUrl), '246810')
    if (refused !== null) throw new Error(refused)
  }
  const known = new Set<string>()
  const tokenOf = (url: string): string => new URL(url).searchParams.get('t') ?? ''
  const setPassword = async (account: string): Promise<void> => {
    const link = await adapter.ask('password.link', { account, callType: 'B_PWDFORGET', operator: 1 })
    const [, proof = ''] = /验证码 (\d{6})/.exec(bank.messages()[0]?.text ?? '') ?? []
    const wrong = bank.counter.setPassword(tokenOf(link.redirectUrl), { proof, password: '246810' })
    if (wrong !== null) throw new Error(wrong)
  }
  const pick = (bound: number): number => randomBelow({ random, bound })
  return {
    kit,
    clock,
    audit,
    ledger,
    bank,
    adapter,
    server,
    keys,
    withdrawals,
    handlers,
    accounts,
    accountHandlers,
    deliver,
    openAccount,
    addMoney,
    person: financePerson,
    enterPassword,
    pick,
  }
}
