import { createHmac } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { errorText } from '@saddle/contract/errors.ts'
import { createFinance } from '#finance/public.ts'
import { testDatabase } from '#test/database.ts'
import { sessionCall, testKit } from '#test/kit.ts'
import { linkLifetimeMs } from './paymentPassword.ts'
import { callTypeFor, hasPaymentPassword } from './rules.ts'

const { db, owner } = await testDatabase()
const kit = testKit(db, {
  PAYMENT_PASSWORD_URL: 'https://pay.example.cn/password?tenant=7',
  PAYMENT_PASSWORD_KEY: 'a key that the page at the other end shares',
})
const finance = createFinance(kit)
const { accountInfo, paymentPasswordLink } = finance.handlers

const company = {
  agentId: 3,
  accountLevel: 2,
  authStatus: 1,
  status: 2,
  accountType: 'company' as const,
  customerName: '东湖出行有限公司',
  name: '沈一诺',
}
const caller = (agentId: number, scope?: { agentIds: number[]; areaIds: number[] }) =>
  sessionCall({
    operatorId: agentId * 10,
    agentId,
    grant: { agentIds: agentId === 2 ? [2, 3, 4] : [agentId], areaIds: [] },
    ...(scope === undefined ? {} : { scope }),
  })

beforeAll(async () => {
  await owner
    .insertInto('agent')
    .values([
      { id: 2, company: '平台' },
      { id: 3, parent_id: 2, company: '东湖' },
      { id: 4, parent_id: 2, company: '西山' },
    ])
    .execute()
  await db.system(async (tx) => {
    await finance.saveAccount(tx, company)
    await finance.saveAccount(tx, { ...company, agentId: 4, accountType: 'person', status: 1, customerName: null })
  })
})

describe('accountInfo', () => {
  it('is the account of the own agent, whatever the header selects', async () => {
    const answer = await accountInfo({}, caller(3, { agentIds: [], areaIds: [] }))
    const { agentId: _, ...wanted } = company
    expect(answer).toMatchObject({ success: true, data: wanted })
    expect((await accountInfo({}, caller(4))).data).toMatchObject({ status: 1, customerName: null })
  })

  it('has no status when none was opened, and never falls back to another agent’s', async () => {
    expect((await accountInfo({}, caller(2, { agentIds: [3], areaIds: [] }))).data).toMatchObject({
      id: '',
      status: null,
      customerName: null,
    })
  })

  it('keeps names unreadable in the table', async () => {
    const rows = await owner.selectFrom('financial_account').selectAll().execute()
    expect(JSON.stringify(rows)).not.toMatch(/沈一诺|东湖出行/)
  })

  it('shows what the provider said last', async () => {
    await db.system((tx) => finance.saveAccount(tx, { ...company, agentId: 4, accountLevel: 1 }))
    expect((await accountInfo({}, caller(4))).data).toMatchObject({ accountLevel: 1, status: 2 })
  })
})

describe('paymentPasswordLink', () => {
  it('is signed, names account and operator, expires, and is different each time', async () => {
    const ask = async () => {
      const answer = await paymentPasswordLink({ callType: 'PWDMODIFY' }, caller(3))
      return answer.success ? new URL(answer.data.redirectUrl) : null
    }
    const address = await ask()
    const query = address?.searchParams
    expect(address?.origin).toBe('https://pay.example.cn')
    expect(query?.get('tenant')).toBe('7')
    expect(query?.get('callType')).toBe('B_PWDMODIFY')
    expect(query?.get('operatorId')).toBe('30')
    expect(Number(query?.get('expires'))).toBe(kit.clock.now() + linkLifetimeMs)
    const [text = '', sign] = address?.search.slice(1).split('&sign=') ?? []
    expect(sign).toBe(
      createHmac('sha256', 'a key that the page at the other end shares').update(text).digest('base64url'),
    )
    expect((await ask())?.href).not.toBe(address?.href)
  })

  it('is refused with a text while the account is not active', async () => {
    await db.system((tx) => finance.saveAccount(tx, { ...company, agentId: 4, status: 1 }))
    const wanted = { success: false, msg: errorText('account_not_active') }
    expect(await paymentPasswordLink({ callType: 'PWDFORGET' }, caller(4))).toEqual(wanted)
    expect(await paymentPasswordLink({ callType: 'PWDFORGET' }, caller(2))).toEqual(wanted)
  })

  it('is refused with a text when no provider is configured', async () => {
    const without = createFinance(testKit(db)).handlers
    expect(await without.paymentPasswordLink({ callType: 'PWDFORGET' }, caller(3))).toEqual({
      success: false,
      msg: '支付密码服务尚未配置，请联系平台管理员',
    })
  })
})

describe('rules', () => {
  it('a payment password needs status 2 and a level', () => {
    expect(hasPaymentPassword({ status: 2, accountLevel: 1 })).toBe(true)
    expect(hasPaymentPassword({ status: 2, accountLevel: null })).toBe(false)
    expect(hasPaymentPassword({ status: 1, accountLevel: 2 })).toBe(false)
    expect(hasPaymentPassword({ status: null, accountLevel: null })).toBe(false)
  })

  it('companies get the B variant, people never do', () => {
    expect(callTypeFor({ accountType: 'company', asked: 'PWDFORGET' })).toBe('B_PWDFORGET')
    expect(callTypeFor({ accountType: 'company', asked: 'B_PWDMODIFY' })).toBe('B_PWDMODIFY')
    expect(callTypeFor({ accountType: 'person', asked: 'B_PWDFORGET' })).toBe('PWDFORGET')
    expect(callTypeFor({ accountType: null, asked: 'PWDMODIFY' })).toBe('PWDMODIFY')
  })
})
