import type { Clock } from '#kit/clock.ts'
import type { Random } from '#kit/random.ts'
import { bankServices, type BankNotice, type BankService } from '../provider.ts'
import { createCounter, type BankCounter } from './counter.ts'
import type { Journal } from './journal.ts'
import { bankMoodSchema, type BankMood } from './mood.ts'
import type { AccountRecord, Message, PayoutRecord } from './records.ts'
import { createServices, payoutReport, stepsUntil, thingReport } from './services.ts'
import { createVault, type Vault } from './vault.ts'

/** A request or its answer that did not arrive: whoever asked knows nothing. */
export class LostError extends Error {
  override readonly name = 'LostError'
}

/** A payment as the bank itself has it in the end. */
export type SandboxPayout = { readonly number: string; readonly cents: number; readonly isOut: boolean }

/** An account of the demo's past, with the card that is bound to it. */
export type SandboxAccount = {
  readonly number: string
  readonly accountType: 'company' | 'person'
  readonly name: string
  readonly card: { readonly number: string; readonly token: string; readonly lastDigits: string }
}

export type SandboxBank = {
  /** Does what a request asks for and returns its answer. Throws BankRefusal and LostError. */
  serve(service: BankService, input: unknown): unknown
  /** Moves on what is due; returns the notices that leave now, in their order. */
  work(): BankNotice[]
  setMood(change: Partial<BankMood>): void
  /** Knows an account that was opened before the sandbox began; its number at the bank. */
  adopt(account: SandboxAccount): string
  /** What the pages of the bank show and do. */
  readonly counter: BankCounter
  /** Codes, small sums and e-mails that customers got, the newest first. */
  messages(): readonly Message[]
  payouts(): readonly SandboxPayout[]
  payout(number: string): SandboxPayout | undefined
}

/** A bank that is no one's: the services of a real one, and its bad days. Its state is its own. */
export function createSandboxBank(options: {
  readonly clock: Clock
  readonly random: Random
  readonly journal: Journal
  /** Where its pages are. */
  readonly pagesAt: () => string
  /** What it costs to check a payment password. */
  readonly passwordCost?: number
}): SandboxBank {
  const vault = createVault(options)
  let mood: BankMood = bankMoodSchema.parse({})
  const services = createServices({ ...options, vault, mood: () => mood })
  let late: BankNotice[] = []

  return {
    serve: (service, input) => {
      if (mood.isDown || vault.happens(mood.losesRequests)) throw new LostError(`${service} did not arrive`)
      // The table has schema and service of one name.
      const serve = services[service] as (parsed: unknown) => unknown
      const answer = serve(bankServices[service].input.parse(input))
      if (vault.happens(mood.losesAnswers)) throw new LostError(`the answer to ${service} did not arrive`)
      return answer
    },
    work: () => {
      const leaving: BankNotice[] = []
      const held: BankNotice[] = []
      for (const notice of noticesDue(vault, options.clock)) {
        for (let copy = 0; copy < mood.copies; copy += 1) {
          if (vault.happens(mood.losesNotices)) continue
          const road = vault.happens(mood.delaysNotices) ? held : leaving
          road.push(notice)
        }
      }
      // What was held back comes after what happened later.
      const all = [...leaving, ...late]
      late = held
      return all
    },
    setMood: (change) => {
      mood = { ...mood, ...change }
    },
    adopt: (account) => adopt(vault, account),
    counter: createCounter(vault, options.passwordCost),
    messages: vault.messages,
    payouts: () => payoutsOf(vault),
    payout: (number) => {
      const record = vault.find('payout', number)
      return record === undefined ? undefined : payoutOf(record)
    },
  }
}

const payoutOf = ({ number, cents, plan }: PayoutRecord): SandboxPayout => ({
  number,
  cents,
  isOut: plan.at(-1)?.state === 'paid',
})

function payoutsOf(vault: Vault): SandboxPayout[] {
  const all: SandboxPayout[] = []
  for (const record of vault.all()) {
    if (record.kind === 'payout') all.push(payoutOf(record))
  }
  return all
}

/** What became known since it was told last, and is told with this. */
function noticesDue(vault: Vault, clock: Clock): BankNotice[] {
  const now = clock.now()
  const due: BankNotice[] = []
  for (const record of vault.untold()) {
    if (record.kind === 'payout') {
      const steps = stepsUntil(record, now)
      for (let step = record.told + 1; step <= steps; step += 1) {
        due.push({ about: 'payout', report: payoutReport(record, step) })
      }
      if (steps > record.told) vault.keep({ ...record, told: steps })
    } else if (record.kind === 'account' && record.dueAt <= now) {
      const decided: AccountRecord = { ...record, state: record.reason === '' ? 'open' : 'refused', told: true }
      vault.keep(decided)
      due.push({ about: 'account', report: thingReport(clock, decided, decided.number) })
    } else if (record.kind === 'subAccount' && record.dueAt <= now) {
      vault.keep({ ...record, told: true })
      due.push({ about: 'subAccount', report: thingReport(clock, record, record.number) })
    }
  }
  return due
}

function adopt(vault: Vault, { number, accountType, name, card }: SandboxAccount): string {
  const known = vault.find('account', number)
  if (known !== undefined) return known.bankNumber
  const bankNumber = `SB${vault.hex(8).toUpperCase()}`
  const mobile = '13800006688'
  const settled = {
    state: 'open',
    reason: '',
    dueAt: 0,
    told: true,
    papers: [],
    password: null,
    wrongTries: 0,
  } as const
  vault.keep({ kind: 'account', number, accountType, name, mobile, bankNumber, ...settled, papers: [] })
  const bound = { state: 'bound', expected: '0', checkKind: accountType === 'company' ? 'amount' : 'code' } as const
  vault.keep({ kind: 'card', account: bankNumber, mobile, ...card, ...bound })
  return bankNumber
}
