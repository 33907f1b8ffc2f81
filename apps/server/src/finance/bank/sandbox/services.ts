import { yuanText } from '@saddle/contract/money.ts'
import type { Clock } from '#kit/clock.ts'
import { randomBelow, randomDigits, type Random } from '#kit/random.ts'
import { BankRefusal, type bankServices, type BankService, type PayoutReport, type ThingReport } from '../provider.ts'
import type { BankMood } from './mood.ts'
import type { AccountRecord, CardRecord, PayoutRecord, SubAccountRecord } from './records.ts'
import type { Vault } from './vault.ts'

export type ServiceDeps = {
  readonly clock: Clock
  readonly random: Random
  readonly vault: Vault
  readonly mood: () => BankMood
  readonly pagesAt: () => string
}
type Input<S extends BankService> = ReturnType<(typeof bankServices)[S]['input']['parse']>
export type Services = { readonly [S in BankService]: (input: Input<S>) => unknown }

export function thingReport(
  clock: Clock,
  record: AccountRecord | SubAccountRecord | undefined,
  number: string,
): ThingReport {
  if (record === undefined) return { number, state: 'none', bankNumber: null, level: null, reason: '' }
  if (record.kind === 'subAccount') {
    const state = record.dueAt <= clock.now() ? 'open' : 'processing'
    return { number, state, bankNumber: state === 'open' ? record.bankNumber : null, level: null, reason: '' }
  }
  const { state, reason } = record
  const isOpen = state === 'open'
  const level = record.accountType === 'company' ? 2 : 1
  return {
    number,
    state,
    bankNumber: isOpen ? record.bankNumber : null,
    level: isOpen ? level : null,
    reason: isOpen ? '' : reason,
  }
}

/** What is known of a payment after so many of its steps. */
export function payoutReport(record: PayoutRecord, steps: number): PayoutReport {
  const { number, bankNumber } = record
  const step = record.plan[steps - 1]
  if (step === undefined) return { number, state: 'none', at: 0, bankNumber: null, reason: '' }
  return { number, state: step.state, at: step.at, bankNumber, reason: step.reason }
}

export const stepsUntil = ({ plan }: PayoutRecord, nowMs: number): number => plan.filter(({ at }) => at <= nowMs).length

export function createServices(deps: ServiceDeps): Services {
  return { ...accountServices(deps), ...cardServices(deps), ...linkServices(deps), ...payoutServices(deps) }
}

function accountServices({
  clock,
  vault,
  mood,
}: ServiceDeps): Pick<
  Services,
  'account.open' | 'account.query' | 'paper.upload' | 'subAccount.open' | 'subAccount.query'
> {
  const papers = new Map<string, ReadonlySet<string>>()
  return {
    'account.open': ({ number, accountType, name, mobile, certificate }) => {
      const known = vault.find('account', number)
      if (known !== undefined) return thingReport(clock, known, number)
      const isRefused = vault.happens(mood().refuses) || certificate.endsWith('0000')
      const made: AccountRecord = {
        kind: 'account',
        number,
        accountType,
        name,
        mobile,
        bankNumber: `SB${vault.hex(8).toUpperCase()}`,
        state: 'processing',
        reason: isRefused ? '证件信息与登记机关不一致，请核对后重新提交' : '',
        dueAt: clock.now() + mood().processingMs,
        told: false,
        papers: [...(papers.get(number) ?? [])],
        password: null,
        wrongTries: 0,
      }
      vault.keep(made)
      return thingReport(clock, made, number)
    },
    'account.query': ({ number }) => thingReport(clock, vault.find('account', number), number),
    'paper.upload': ({ number, kind }) => {
      papers.set(number, new Set([...(papers.get(number) ?? []), kind]))
      return { done: true }
    },
    'subAccount.open': ({ number, account, name }) => {
      vault.accountOf(account)
      const known = vault.find('subAccount', number)
      if (known !== undefined) return thingReport(clock, known, number)
      const dueAt = clock.now() + mood().processingMs
      const bankNumber = `SS${vault.hex(8).toUpperCase()}`
      const made: SubAccountRecord = { kind: 'subAccount', number, account, name, bankNumber, dueAt, told: false }
      vault.keep(made)
      return thingReport(clock, made, number)
    },
    'subAccount.query': ({ number }) => thingReport(clock, vault.find('subAccount', number), number),
  }
}

function cardServices({
  random,
  vault,
}: ServiceDeps): Pick<Services, 'card.bind' | 'card.check' | 'card.remind' | 'card.unbind'> {
  const sendCheck = (card: CardRecord, by: 'sms' | 'email', email: string): void => {
    const { lastDigits, expected } = card
    if (by === 'email') vault.tell(email, `请确认绑定尾号 ${lastDigits} 的银行卡，验证值 ${expected}`)
    else if (card.checkKind === 'code')
      vault.tell(card.mobile, `验证码 ${expected}，用于绑定尾号 ${lastDigits} 的银行卡`)
    else vault.tell(`尾号 ${lastDigits} 的账户`, `收到验证打款 ${yuanText(Number(expected))} 元（${expected} 分）`)
  }
  return {
    'card.bind': ({ number, account, cardNumber, mobile, checkKind }) => {
      vault.accountOf(account)
      if (vault.find('card', number) !== undefined) return { done: true }
      const card: CardRecord = {
        kind: 'card',
        number,
        account,
        lastDigits: cardNumber.slice(-4),
        mobile,
        token: `CT${vault.hex(10).toUpperCase()}`,
        state: 'checking',
        expected:
          checkKind === 'code' ? randomDigits({ random, length: 6 }) : String(1 + randomBelow({ random, bound: 99 })),
        checkKind,
      }
      vault.keep(card)
      sendCheck(card, 'sms', '')
      return { done: true }
    },
    'card.check': ({ number, value }) => {
      const card = vault.find('card', number)
      if (card === undefined || card.state === 'unbound') throw new BankRefusal('card_unknown', '银行卡不存在')
      const isRight = card.state === 'bound' || value === card.expected
      if (isRight && card.state === 'checking') vault.keep({ ...card, state: 'bound' })
      return { isRight, token: isRight ? card.token : null }
    },
    'card.remind': ({ number, by, email }) => {
      const card = vault.find('card', number)
      if (card?.state !== 'checking') throw new BankRefusal('card_unknown', '银行卡不在验证中')
      sendCheck(card, by, email)
      return { done: true }
    },
    'card.unbind': ({ number }) => {
      const card = vault.find('card', number)
      if (card !== undefined && card.state !== 'unbound') vault.keep({ ...card, state: 'unbound' })
      return { done: true }
    },
  }
}

function linkServices({
  random,
  vault,
  pagesAt,
}: ServiceDeps): Pick<Services, 'password.link' | 'auth.link' | 'auth.query'> {
  return {
    'password.link': ({ account, callType }) => {
      const { number, mobile } = vault.accountOf(account)
      const isReset = callType.endsWith('PWDFORGET')
      const code = isReset ? randomDigits({ random, length: 6 }) : ''
      if (isReset) vault.tell(mobile, `验证码 ${code}，用于设置支付密码`)
      const token = vault.makeLink({ page: 'password', subject: number, isReset, code })
      return { redirectUrl: `${pagesAt()}/password?t=${token}` }
    },
    'auth.link': ({ number, account, token, cents }) => {
      vault.accountOf(account)
      vault.boundCard(account, token)
      const known = vault.find('auth', number)
      if (known !== undefined && (known.cents !== cents || known.token !== token)) {
        throw new BankRefusal('number_used', '同一编号的授权内容不同')
      }
      if (known === undefined) vault.keep({ kind: 'auth', number, account, token, cents, state: 'waiting' })
      const link = vault.makeLink({ page: 'authorise', subject: number, isReset: false, code: '' })
      return { redirectUrl: `${pagesAt()}/authorise?t=${link}` }
    },
    'auth.query': ({ number }) => ({ state: vault.find('auth', number)?.state ?? 'none' }),
  }
}

/** The bank of a card sends money back so many times later than a payment takes. */
const REVERSAL_FACTOR = 10

/** Decided when the payment arrives, so that the same one always has the same fate. */
function planOf({ clock, vault, mood }: ServiceDeps): PayoutRecord['plan'] {
  const now = clock.now()
  const { processingMs, contradicts, lies, fails, reverses } = mood()
  const step = (nth: number, state: PayoutReport['state'], reason = '') => ({
    at: now + 1 + nth * Math.max(1, processingMs),
    state,
    reason,
  })
  const begun = { at: now, state: 'processing' as const, reason: '' }
  const refused = '收款银行拒绝：账户状态异常'
  if (vault.happens(contradicts)) return [begun, step(1, 'failed', refused), step(2, 'paid')]
  if (vault.happens(lies)) return [begun, step(1, 'paid'), step(2, 'failed', refused)]
  if (vault.happens(fails)) return [begun, step(1, 'failed', refused)]
  const paid = [begun, step(1, 'paid')]
  return vault.happens(reverses) ? [...paid, step(REVERSAL_FACTOR, 'reversed', '收款行退汇：户名不符')] : paid
}

function payoutServices(deps: ServiceDeps): Pick<Services, 'payout' | 'payout.query'> {
  const { clock, random, vault, mood } = deps
  return {
    payout: ({ number, account, token, cents }) => {
      const known = vault.find('payout', number)
      if (known !== undefined) {
        if (known.cents !== cents || known.token !== token) {
          throw new BankRefusal('number_used', '同一编号的付款内容不同')
        }
        return payoutReport(known, stepsUntil(known, clock.now()))
      }
      const auth = vault.find('auth', number)
      if (auth?.state !== 'granted' || auth.cents !== cents || auth.token !== token) {
        throw new BankRefusal('not_authorised', '付款未经支付密码授权')
      }
      vault.boundCard(account, token)
      const bankNumber = `SBP${vault.hex(8).toUpperCase()}`
      const plan = planOf(deps)
      const made: PayoutRecord = { kind: 'payout', number, account, token, cents, bankNumber, plan, told: 1 }
      vault.keep(made)
      return payoutReport(made, stepsUntil(made, clock.now()))
    },
    'payout.query': ({ number }) => {
      const record = vault.find('payout', number)
      if (record === undefined) return { number, state: 'none', at: 0, bankNumber: null, reason: '' }
      const steps = stepsUntil(record, clock.now())
      const isOld = vault.happens(mood().answersOld)
      return payoutReport(record, isOld ? randomBelow({ random, bound: steps + 1 }) : steps)
    },
  }
}
