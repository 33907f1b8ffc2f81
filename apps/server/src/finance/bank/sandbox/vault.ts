import { minuteMs } from '@saddle/contract/time.ts'
import type { Clock } from '#kit/clock.ts'
import { randomBelow, type Random } from '#kit/random.ts'
import { BankRefusal } from '../provider.ts'
import type { Journal } from './journal.ts'
import { bankRecord, type AccountRecord, type BankRecord, type CardRecord, type Message } from './records.ts'

export type Link = {
  readonly page: 'password' | 'authorise'
  readonly subject: string
  readonly isReset: boolean
  readonly expiresAt: number
  readonly code: string
}

type OfKind<K extends BankRecord['kind']> = Extract<BankRecord, { kind: K }>

/** What the sandbox bank has: records that outlive it, and links and messages that do not. */
export type Vault = {
  keep(record: BankRecord): void
  find<K extends BankRecord['kind']>(kind: K, number: string): OfKind<K> | undefined
  all(): Iterable<BankRecord>
  /** Records about which something is still to be told. */
  untold(): readonly BankRecord[]
  /** By the number that the bank gave it. Throws BankRefusal. */
  accountOf(bankNumber: string): AccountRecord
  /** Throws BankRefusal. */
  boundCard(account: string, token: string): CardRecord
  makeLink(link: Omit<Link, 'expiresAt'>): string
  link(token: string): Link | null
  /** A link whose code was guessed too often leads nowhere. */
  countWrong(token: string): void
  forget(token: string): void
  tell(to: string, text: string): void
  messages(): readonly Message[]
  hex(bytes: number): string
  happens(percent: number): boolean
}

const LINK_LIFETIME_MS = 10 * minuteMs
const MAX_LINKS = 1_000
const MAX_MESSAGES = 100
const MAX_RECORDS = 200_000
const MAX_GUESSES = 5

const isUntold = (record: BankRecord): boolean => {
  if (record.kind === 'account' || record.kind === 'subAccount') return !record.told
  return record.kind === 'payout' && record.told < record.plan.length
}

export function createVault(options: { clock: Clock; random: Random; journal: Journal }): Vault {
  const { clock, random, journal } = options
  const records = new Map<string, BankRecord>()
  const untold = new Map<string, BankRecord>()
  const accounts = new Map<string, string>()
  const cards = new Map<string, string>()
  const links = new Map<string, Link & { readonly guesses: number }>()
  const messages: Message[] = []

  const place = (record: BankRecord): void => {
    const id = `${record.kind} ${record.number}`
    records.set(id, record)
    if (isUntold(record)) untold.set(id, record)
    else untold.delete(id)
    if (record.kind === 'account') accounts.set(record.bankNumber, record.number)
    if (record.kind === 'card') cards.set(record.token, record.number)
  }
  for (const content of journal.load().values()) place(bankRecord.parse(content))

  const find = <K extends BankRecord['kind']>(kind: K, number: string): OfKind<K> | undefined =>
    // Records are kept by their kind.
    records.get(`${kind} ${number}`) as OfKind<K> | undefined
  const hex = (bytes: number): string => Buffer.from(random.bytes(bytes)).toString('hex')
  const openLink = (token: string) => {
    const link = links.get(token)
    return link === undefined || link.expiresAt <= clock.now() ? null : link
  }
  return {
    find,
    hex,
    all: () => records.values(),
    untold: () => [...untold.values()],
    keep: (record) => {
      if (records.size >= MAX_RECORDS) throw new BankRefusal('full', '沙箱银行记录已满')
      journal.append(`${record.kind} ${record.number}`, record)
      place(record)
    },
    accountOf: (bankNumber) => {
      const account = find('account', accounts.get(bankNumber) ?? '')
      if (account?.state !== 'open') throw new BankRefusal('account_unknown', '账户不存在或未开通')
      return account
    },
    boundCard: (account, token) => {
      const card = find('card', cards.get(token) ?? '')
      if (card?.state !== 'bound' || card.account !== account) throw new BankRefusal('card_unknown', '银行卡未绑定')
      return card
    },
    makeLink: (link) => {
      const token = hex(24)
      if (links.size >= MAX_LINKS) links.clear()
      links.set(token, { ...link, expiresAt: clock.now() + LINK_LIFETIME_MS, guesses: 0 })
      return token
    },
    link: openLink,
    countWrong: (token) => {
      const link = openLink(token)
      if (link === null) return
      if (link.guesses + 1 >= MAX_GUESSES) links.delete(token)
      else links.set(token, { ...link, guesses: link.guesses + 1 })
    },
    forget: (token) => {
      links.delete(token)
    },
    tell: (to, text) => {
      messages.unshift({ at: clock.now(), to, text })
      messages.length = Math.min(messages.length, MAX_MESSAGES)
    },
    messages: () => messages,
    happens: (percent) => percent > 0 && randomBelow({ random, bound: 100 }) < percent,
  }
}
