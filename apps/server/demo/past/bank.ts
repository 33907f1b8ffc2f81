import type { WithdrawalState } from '@saddle/contract/finance/withdrawals.ts'
import { businessDayOf, dayMs, hourMs, minuteMs } from '@saddle/contract/time.ts'
import { platformNotes } from '@saddle/contract/finance/platformNotes.ts'
import {
  changeWithdrawal,
  insertWithdrawal,
  lockWithdrawal,
  sealCard,
  sealDetails,
  withdrawalPaid,
  withdrawalRequest,
  withdrawalReturned,
  withdrawalReversed,
} from '#finance/demoDoor.ts'
import type { Finance, Ledger } from '#finance/public.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Kit } from '#kit/kit.ts'
import type { DemoPerson } from '../desk.ts'
import { franchiseeId, platformAgentId } from '../tenants.ts'

const feeCents = 200
/** What companies had earned and not withdrawn before the past that the demo shows: most of it is withdrawn since. */
const openingCents = 19_600_000
const cardToken = (agentId: number, nth: number): string => `DEMO${agentId}CARD${nth}`
const numberOf = (what: string): string => Buffer.from(what.padEnd(16, '.')).toString('hex').slice(0, 32)

/** As it goes in a month: most arrive, some come back, a few are under way. */
const withdrawals: readonly (readonly [state: WithdrawalState, daysAgo: number, cents: number])[] = [
  ['paid', 28, 3_000_000],
  ['paid', 24, 2_650_000],
  ['returned', 21, 1_800_000],
  ['paid', 20, 1_800_000],
  ['paid', 16, 4_200_000],
  ['reversed', 12, 900_000],
  ['cancelled', 9, 6_000_000],
  ['paid', 8, 2_400_000],
  ['expired', 5, 5_500_000],
  ['paid', 3, 3_100_000],
]
/** Of today: parts of what is available after the days of the past were settled, so that rides are behind them. */
const latest: readonly (readonly [state: WithdrawalState, percent: number])[] = [
  ['paid', 30],
  ['unknown', 15],
  ['waiting', 25],
]

interface Options {
  readonly kit: Kit
  readonly finance: Pick<Finance, 'ledger' | 'bank'>
  readonly people: ReadonlyMap<string, DemoPerson>
}

/**
 * Accounts in every state, cards in every state, and a month of withdrawals in every state. Done once. The sandbox bank
 * itself knows the accounts that are open: what people do from now on is real to it.
 */
export async function fillBank({ kit, finance, people }: Options): Promise<void> {
  const [known] = await kit.db.systemRead((k) => k.selectFrom('bank_card').select('id').limit(1).compile())
  if (known !== undefined) return
  const companies = [
    { agentId: franchiseeId('qinghe'), name: '青禾出行服务有限公司', isCompany: true },
    { agentId: franchiseeId('chengji'), name: '苏念秋', isCompany: false },
    { agentId: platformAgentId, name: '青骑共享出行科技有限公司', isCompany: true },
  ]
  for (const company of companies) {
    const account = await finance.bank.adopt({
      number: numberOf(`demo account ${company.agentId}`),
      accountType: company.isCompany ? 'company' : 'person',
      name: company.name,
      card: {
        number: numberOf(`demo card ${company.agentId}`),
        token: cardToken(company.agentId, 0),
        lastDigits: '4821',
      },
    })
    if (account === null) return
    const clerk = [...people.values()].find(({ agentId }) => agentId === company.agentId)
    await kit.db.system(async (tx) => {
      await addAccount(tx, kit, { ...company, account, clerk: clerk?.name ?? '财务' })
    })
  }
  await addWaiting(kit)
  const agentId = franchiseeId('qinghe')
  const staff = [...people.values()].filter((person) => person.agentId === agentId)
  await kit.db.system((tx) => addMoney(tx, kit, finance.ledger, agentId))
  for (const [index, one] of withdrawals.entries()) {
    await kit.db.system((tx) =>
      addWithdrawal(tx, { kit, ledger: finance.ledger, agentId, index, one, ...clerksOf(staff) }),
    )
  }
}

const clerksOf = (staff: readonly DemoPerson[]): Pick<One, 'by' | 'second'> => ({
  by: staff[0] ?? { operatorId: 1, name: '财务' },
  second: staff[1] ?? { operatorId: 2, name: '主管' },
})

/** Withdrawals of income that was settled, once the past is closed; done once. */
export async function fillLatestWithdrawals({ kit, finance, people }: Options): Promise<void> {
  const { ledger } = finance
  const agentId = franchiseeId('qinghe')
  const first = numberOf(`demo draw ${withdrawals.length}`)
  const [known] = await kit.db.systemRead((k) =>
    k.selectFrom('withdrawal').select('id').where('number', '=', first).limit(1).compile(),
  )
  if (known !== undefined) return
  const available = await ledger.balanceOf({ agentId, account: { kind: 'agent_available' } })
  const staff = [...people.values()].filter((person) => person.agentId === agentId)
  for (const [at, [state, percent]] of latest.entries()) {
    const cents = Math.floor(available / 10_000) * 100 * percent
    const index = withdrawals.length + at
    if (cents <= feeCents) return
    await kit.db.system((tx) =>
      addWithdrawal(tx, { kit, ledger, agentId, index, one: [state, 0, cents], ...clerksOf(staff) }),
    )
  }
}

async function addAccount(
  tx: Tx,
  { clock, secrets }: Kit,
  made: { agentId: number; name: string; isCompany: boolean; account: string; clerk: string },
): Promise<void> {
  const { agentId, name, isCompany, account, clerk } = made
  const at = (daysAgo: number): Date => new Date(clock.now() - daysAgo * dayMs)
  const common = { name, mobile: '13800006688' }
  const details = isCompany
    ? ({
        accountType: 'company',
        ...common,
        creditCode: '91320594MA1XABCD2E',
        legalPerson: '周以宁',
        legalPersonId: '320500198805061234',
        email: 'finance@example.com',
      } as const)
    : ({ accountType: 'person', ...common, identityNumber: '320500199002031234' } as const)
  await tx
    .updateTable('financial_account')
    .set({ bank_number: account, opened_at: at(60), changed_at: at(60) })
    .where('agent_id', '=', agentId)
    .execute()
  await tx
    .insertInto('account_opening')
    .values({
      agent_id: agentId,
      number: numberOf(`demo account ${agentId}`),
      account_type: details.accountType,
      state: 'opened',
      details_sealed: sealDetails(secrets, agentId, details),
      made_at: at(62),
      made_by: clerk,
      submitted_at: at(61),
      decided_at: at(60),
    })
    .execute()
  const seal = sealCard(secrets, agentId)
  const card = (nth: number, digits: string, bankName: string, checkKind: 'amount' | 'code') => ({
    agent_id: agentId,
    number: numberOf(nth === 0 ? `demo card ${agentId}` : `demo old ${agentId} ${nth}`),
    check_kind: checkKind,
    card_sealed: seal(`62220200011122${digits}`),
    mobile_sealed: seal('13800006688'),
    holder_sealed: seal(name),
    last_digits: digits,
    bank_name: bankName,
    added_at: at(59 - nth * 10),
    added_by: clerk,
  })
  const kind = isCompany ? 'amount' : 'code'
  await tx
    .insertInto('bank_card')
    .values([
      { ...card(1, '0037', '中国工商银行', kind), state: 'unbound', ended_at: at(40), reason: '换卡' },
      {
        ...card(2, '9950', '中国建设银行', kind),
        state: 'refused',
        tries: 5,
        ended_at: at(38),
        reason: platformNotes.tooManyTries,
      },
      { ...card(0, '4821', '招商银行', kind), state: 'bound', token: cardToken(agentId, 0), bound_at: at(58) },
    ])
    .execute()
  if (!isCompany) return
  const terms = { isAllowed: true, minCents: 10_000, dailyCents: 50_000_000, feeCents, secondCents: 5_000_000 }
  const version = { agent_id: agentId, made_by: '平台管理员' }
  await tx
    .insertInto('withdrawal_terms')
    .values([
      {
        ...version,
        version: 1,
        terms: JSON.stringify({ ...terms, isAllowed: false }),
        reason: '核实开户资料期间暂停',
        made_at: at(60),
      },
      { ...version, version: 2, terms: JSON.stringify(terms), reason: '资料已核实，恢复提现', made_at: at(58) },
    ])
    .execute()
}

/** An application that the bank has not decided. */
async function addWaiting({ db, clock, secrets }: Kit): Promise<void> {
  const agentId = franchiseeId('lvtu')
  const at = new Date(clock.now() - 2 * dayMs)
  const details = {
    accountType: 'company',
    name: '绿途单车有限公司',
    creditCode: '91320505MA20K7WX3P',
    legalPerson: '许知远',
    legalPersonId: '320500197911021234',
    mobile: '13800007799',
    email: 'caiwu@example.com',
  } as const
  await db.system((tx) =>
    tx
      .insertInto('account_opening')
      .values({
        agent_id: agentId,
        number: numberOf(`demo account ${agentId}`),
        account_type: 'company',
        state: 'submitted',
        details_sealed: sealDetails(secrets, agentId, details),
        made_at: at,
        made_by: '财务',
        submitted_at: at,
      })
      .execute(),
  )
}

async function addMoney(tx: Tx, { clock }: Kit, ledger: Ledger, agentId: number): Promise<void> {
  await ledger.post(
    {
      agentId,
      kind: 'adjustment',
      reference: `opening-balance:${agentId}`,
      occurredAt: clock.now() - 31 * dayMs,
      memo: '期初可提现余额',
      lines: [
        { account: { kind: 'adjustment' }, amountCents: -openingCents },
        { account: { kind: 'agent_available' }, amountCents: openingCents },
      ],
    },
    tx,
  )
}

interface One {
  readonly kit: Kit
  readonly ledger: Ledger
  readonly agentId: number
  readonly index: number
  readonly one: (typeof withdrawals)[number]
  readonly by: { readonly operatorId: number; readonly name: string }
  readonly second: { readonly operatorId: number; readonly name: string }
}

async function addWithdrawal(tx: Tx, { kit, ledger, agentId, index, one, by, second }: One): Promise<void> {
  const [state, daysAgo, cents] = one
  const askedMs = kit.clock.now() - daysAgo * dayMs - 20 * minuteMs
  const after = (ms: number): Date => new Date(askedMs + ms)
  const { id: cardId } = await tx
    .selectFrom('bank_card')
    .select('id')
    .where('agent_id', '=', agentId)
    .where('state', '=', 'bound')
    .executeTakeFirstOrThrow()
  const day = businessDayOf(askedMs)
  const made = { agentId, number: numberOf(`demo draw ${index}`), cardId, cents, feeCents, termsVersion: 2, day }
  const id = await insertWithdrawal(tx, { ...made, at: after(0), expiresAt: after(10 * minuteMs), by })
  const row = await lockWithdrawal(tx, { id, scope: { agentIds: [agentId] } })
  if (row === undefined) throw new Error('the withdrawal was inserted')
  const step = (
    to: WithdrawalState,
    ms: number,
    values: Parameters<typeof changeWithdrawal>[2]['values'] = {},
    note = '',
  ) => changeWithdrawal(tx, row, { state: to, at: after(ms), by: null, note, nextAt: null, values })
  const movement = { agentId, withdrawalId: id, cents, at: askedMs + minuteMs }
  const isBig = cents > 5_000_000 || state === 'waiting'
  await changeWithdrawal(tx, row, {
    state: isBig ? 'waiting' : 'queued',
    at: after(minuteMs),
    by,
    note: isBig ? platformNotes.passwordAndSecond : platformNotes.password,
    nextAt: null,
    values: isBig ? { needs_second: true, expires_at: after(dayMs) } : {},
  })
  await ledger.post(withdrawalRequest(movement), tx)
  if (state === 'waiting') return
  const giveBack = (at: number, reason: string) =>
    ledger.post(withdrawalReturned({ ...movement, at: askedMs + at, reason }), tx)
  if (state === 'cancelled') {
    await changeWithdrawal(tx, row, {
      state,
      at: after(hourMs),
      by: second,
      note: '金额与付款计划不符',
      nextAt: null,
      values: { ended_at: after(hourMs), reason: '金额与付款计划不符' },
    })
    await giveBack(hourMs, '金额与付款计划不符')
    return
  }
  if (state === 'expired') {
    await step('expired', dayMs, { ended_at: after(dayMs) }, platformNotes.nobodyConfirmed)
    await giveBack(dayMs, platformNotes.nobodyConfirmed)
    return
  }
  await step('unknown', 2 * minuteMs, { sent_at: after(2 * minuteMs), sends: 1 }, platformNotes.sent)
  if (state === 'unknown') return
  const bank = { bank_number: `SBP${String(20_260_000 + index)}`, bank_at: askedMs + 5 * minuteMs }
  if (state === 'returned') {
    const reason = '收款银行拒绝：账户状态异常'
    await step('returned', 5 * minuteMs, { ...bank, ended_at: after(5 * minuteMs), reason }, reason)
    await giveBack(5 * minuteMs, reason)
    return
  }
  await step('paid', 5 * minuteMs, { ...bank, paid_at: after(5 * minuteMs), ended_at: after(5 * minuteMs) })
  await ledger.post(withdrawalPaid({ ...movement, at: askedMs + 5 * minuteMs, feeCents }), tx)
  if (state !== 'reversed') return
  const reason = '收款行退汇：户名不符'
  const bankAt = askedMs + dayMs
  await step('reversed', dayMs, { bank_at: bankAt, ended_at: after(dayMs), reason }, reason)
  await ledger.post(withdrawalReversed({ ...movement, at: bankAt, feeCents, bankAt, reason }), tx)
}
