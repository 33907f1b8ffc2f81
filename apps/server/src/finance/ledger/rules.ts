import { chartOfAccounts, ledgerLimits, type AccountKind, type EntryKind } from '@saddle/contract/finance/ledger.ts'

/** An account by what it is; its owner is a rider or a party, or nobody (the agent itself). */
export type AccountName = { readonly kind: AccountKind; readonly ownerId?: number }

/** Above zero the account is owed more, below zero less (see chartOfAccounts). Whole cents. */
export type Line = { readonly account: AccountName; readonly amountCents: number }

/**
 * What is to be posted to an agent's book. `reference` is what it is about, such as `order:17`; `key`, by default the
 * kind, is which of that thing's entries it is. Reference and key together are posted once: again with the same
 * content is answered with the first entry, with other content it is refused.
 */
export type Entry = {
  readonly agentId: number
  readonly kind: EntryKind
  readonly reference: string
  readonly key?: string
  /** When it happened, milliseconds since 1970; by default now. */
  readonly occurredAt?: number
  readonly lines: readonly Line[]
  /** For people; part of the hash. */
  readonly memo?: string
}

/** An entry that no caller may build: a fault of the code, not of a user. */
export class LedgerError extends Error {
  override readonly name = 'LedgerError'
}

// What separates hashed texts, and what PostgreSQL's text does not take.
const NOT_A_WORD = /[|\0]/

/** Throws LedgerError when the entry could never be posted, whatever the balances are. */
export function checkEntry(entry: Entry): void {
  const { lines, reference, key = entry.kind, memo = '' } = entry
  if (lines.length < ledgerLimits.minPostings || lines.length > ledgerLimits.maxPostings) {
    throw new LedgerError(`${lines.length} postings in ${reference}`)
  }
  let total = 0
  for (const { account, amountCents } of lines) {
    if (!Number.isSafeInteger(amountCents) || amountCents === 0) throw new LedgerError(`${amountCents} cents`)
    const owner = account.ownerId ?? 0
    const isOwned = chartOfAccounts[account.kind].owner !== 'agent'
    if (!Number.isSafeInteger(owner) || owner < 0 || owner > 0 !== isOwned) {
      throw new LedgerError(`${account.kind} of owner ${owner}`)
    }
    total += amountCents
  }
  if (total !== 0) throw new LedgerError(`the postings of ${reference} sum to ${total} and not to zero`)
  checkWord({ text: reference, maxBytes: ledgerLimits.maxReferenceBytes })
  checkWord({ text: key, maxBytes: ledgerLimits.maxKeyBytes })
  if (Buffer.byteLength(memo) > ledgerLimits.maxMemoBytes || memo.includes('\0')) throw new LedgerError('memo')
}

function checkWord({ text, maxBytes }: { text: string; maxBytes: number }): void {
  const bytes = Buffer.byteLength(text)
  if (bytes < 1 || bytes > maxBytes || NOT_A_WORD.test(text)) throw new LedgerError(`"${text}" is no reference or key`)
}

/** The postings that take others back. */
export function negated(lines: readonly Line[]): Line[] {
  return lines.map(({ account, amountCents }) => ({ account, amountCents: -amountCents }))
}
