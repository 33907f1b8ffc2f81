import { AppError } from '@saddle/contract/errors.ts'
import type { Kit } from '#kit/kit.ts'
import { runningCall } from '#kit/runningCall.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Scope } from '#kit/db/scope.ts'
import { createBatcher } from './batcher.ts'
import { createKnownAccounts } from './knownAccounts.ts'
import { checkEntry, LedgerError, negated, type AccountName, type Entry } from './rules.ts'
import {
  balancesOf,
  entriesOf,
  entryByNumber,
  openAccounts,
  postBatch,
  postOne,
  resolve,
  runAlone,
  runIn,
  type Judged,
  type PostedEntry,
  type Run,
} from './store.ts'

export type Posted = {
  readonly agentId: number
  readonly number: number
  /** True when the same entry had been posted before. */
  readonly isReplay: boolean
}

export type Reversal = {
  readonly agentId: number
  readonly number: number
  readonly memo: string
  readonly occurredAt?: number
}

/**
 * The ledger. Everything that posts may be given a transaction of `db.system`; then the entry is part of it and other
 * posters of that agent wait until it ends, so post last and commit soon. Without one, entries of many callers share a
 * commit, which is the fast way. Refusals are AppErrors: `balance_insufficient`, `idempotency_mismatch`,
 * `entry_not_reversible`. A LedgerError is a fault of the calling code.
 */
export type Ledger = {
  post(entry: Entry, tx?: Tx): Promise<Posted>
  /**
   * Posts at the end of the transaction, right before its commit, whatever its caller still locks: entries of several
   * companies in the order of these. What `post` refuses rolls the transaction back.
   */
  postLast(entry: Entry, tx: Tx): void
  /**
   * Posts entries of one company in the transaction, many in a statement; no two may have the same reference and key. What
   * `post` refuses of one rolls all of it back.
   */
  postAll(entries: readonly Entry[], tx: Tx): Promise<Posted[]>
  /** Every entry for itself: the answer says of each whether it was posted or why not. */
  postMany(entries: readonly Entry[]): Promise<PromiseSettledResult<Posted>[]>
  /** Takes a whole entry back by one with the same postings negated; once. */
  reverse(reversal: Reversal, tx?: Tx): Promise<Posted>
  /** Opens an account if needed and returns its number. Posting does this by itself. */
  openAccount(options: { agentId: number; account: AccountName }, tx?: Tx): Promise<number>
  /** As stored: see chartOfAccounts for what the sign means. 0 for an account that was never used. */
  balanceOf(options: { agentId: number; account: AccountName }, tx?: Tx): Promise<number>
  balancesOf(options: { agentId: number; accounts: readonly AccountName[] }, tx?: Tx): Promise<number[]>
  /** The entries of the scope about one thing, such as `order:17`, oldest first. */
  entriesOf(options: { scope: Scope; reference: string }): Promise<PostedEntry[]>
  close(): Promise<void>
}

/** Entries of one statement. */
const entriesAtOnce = 500
const MAX_KNOWN_ACCOUNTS = 200_000

const nameOf = (agentId: number, { kind, ownerId = 0 }: AccountName): string => `${agentId}|${kind}|${ownerId}`

export function createLedger({ db, clock, log }: Pick<Kit, 'db' | 'clock' | 'log'>): Ledger {
  const alone = runAlone(db)
  const batcher = createBatcher({ run: alone, log })
  // Numbers of accounts never change; those opened in a transaction that may still roll back are not kept.
  const known = createKnownAccounts(MAX_KNOWN_ACCOUNTS)

  /** The numbers of those that are all known; the hot way, without a promise. */
  const knownNumbers = (agentId: number, accounts: readonly { account: AccountName }[]): number[] | null => {
    const ids: number[] = []
    for (const { account } of accounts) {
      const id = known.get(agentId, account)
      if (id === undefined) return null
      ids.push(id)
    }
    return ids
  }

  const numbersOf = async (run: Run, agentId: number, accounts: readonly AccountName[]): Promise<number[]> => {
    const found = accounts.map((account) => known.get(agentId, account))
    if (found.every((id) => id !== undefined)) return found
    const ids = await openAccounts(run, { agentId, accounts, openedAt: clock.now() })
    if (run === alone) {
      for (const [index, account] of accounts.entries()) known.keep(agentId, account, ids[index] ?? 0)
    }
    return ids
  }

  const post = async (entry: Entry, reverses: number | null, tx?: Tx): Promise<Posted> => {
    checkEntry(entry)
    checkCall(entry)
    const run = tx === undefined ? alone : runIn(tx)
    const accountIds =
      knownNumbers(entry.agentId, entry.lines) ??
      (await numbersOf(
        run,
        entry.agentId,
        entry.lines.map((line) => line.account),
      ))
    const resolved = resolve({ entry, accountIds, reverses, now: clock.now() })
    const judged = await (tx === undefined ? batcher.post(resolved) : postOne(run, resolved))
    return presentJudged(entry, judged)
  }

  const last = new WeakMap<Tx, Entry[]>()
  const postLast = (entry: Entry, tx: Tx): void => {
    checkEntry(entry)
    checkCall(entry)
    const waiting = last.get(tx)
    if (waiting !== undefined) {
      waiting.push(entry)
      return
    }
    const entries = [entry]
    last.set(tx, entries)
    db.beforeCommit(tx, async () => {
      for (const one of entries.toSorted((a, b) => a.agentId - b.agentId)) await post(one, null, tx)
    })
  }

  return {
    post: (entry, tx) => post(entry, null, tx),
    postLast,
    postAll: (entries, tx) => postAll({ numbersOf, now: clock.now() }, entries, tx),
    postMany: (entries) => Promise.allSettled(entries.map((entry) => post(entry, null))),
    reverse: async ({ agentId, number, memo, occurredAt }, tx) => {
      const run = tx === undefined ? alone : runIn(tx)
      const reversed = await entryByNumber(run, { agentId, number })
      if (reversed === null) throw new AppError('entry_not_reversible')
      const { reference, lines } = reversed
      const when = occurredAt === undefined ? {} : { occurredAt }
      return post(
        { agentId, kind: 'reversal', reference, key: `reversal:${number}`, memo, lines: negated(lines), ...when },
        number,
        tx,
      )
    },
    openAccount: async ({ agentId, account }, tx) => {
      const [id] = await numbersOf(tx === undefined ? alone : runIn(tx), agentId, [account])
      if (id === undefined) throw new LedgerError(`${account.kind} was not opened`)
      return id
    },
    balanceOf: async ({ agentId, account }, tx) => {
      const [cents] = await balancesOf(tx === undefined ? alone : runIn(tx), { agentId, accounts: [account] })
      return cents ?? 0
    },
    balancesOf: (options, tx) => balancesOf(tx === undefined ? alone : runIn(tx), options),
    entriesOf: ({ scope, reference }) =>
      entriesOf((query) => db.read(scope, query), { agentIds: scope.agentIds, reference }),
    close: () => batcher.close(),
  }
}

type NumbersOf = (run: Run, agentId: number, accounts: readonly AccountName[]) => Promise<number[]>

async function postAll(
  { numbersOf, now }: { readonly numbersOf: NumbersOf; readonly now: number },
  entries: readonly Entry[],
  tx: Tx,
): Promise<Posted[]> {
  const run = runIn(tx)
  const posted: Posted[] = []
  for (let from = 0; from < entries.length; from += entriesAtOnce) {
    const part = entries.slice(from, from + entriesAtOnce)
    const agentId = part[0]?.agentId ?? 0
    const accounts = new Map<string, AccountName>()
    for (const entry of part) {
      checkEntry(entry)
      checkCall(entry)
      if (entry.agentId !== agentId) throw new LedgerError('entries of several companies')
      for (const { account } of entry.lines) accounts.set(nameOf(agentId, account), account)
    }
    const ids = await numbersOf(run, agentId, [...accounts.values()])
    const numbers = new Map([...accounts.keys()].map((name, index) => [name, ids[index] ?? 0]))
    const resolved = part.map((entry) => {
      const accountIds = entry.lines.map(({ account }) => numbers.get(nameOf(agentId, account)) ?? 0)
      return resolve({ entry, accountIds, reverses: null, now })
    })
    const judged = await postBatch(run, resolved)
    for (const [index, entry] of part.entries()) {
      posted.push(presentJudged(entry, judged[index] ?? { number: null, outcome: 'invalid' }))
    }
  }
  return posted
}

/** A call of a session whose row does not say that it moves money moves none, whatever its handler does. */
function checkCall({ reference }: Entry): void {
  const call = runningCall()
  if (call !== null && call.writes !== 'ledger') {
    throw new LedgerError(`${call.name} may not write the ledger, and would have posted about ${reference}`)
  }
}

function presentJudged(entry: Entry, { number, outcome }: Judged): Posted {
  const { agentId, reference } = entry
  switch (outcome) {
    case 'posted':
    case 'replayed':
      if (number === null) throw new LedgerError(`${reference} was posted without a number`)
      return { agentId, number, isReplay: outcome === 'replayed' }
    case 'conflict':
      throw new AppError('idempotency_mismatch')
    case 'insufficient':
      throw new AppError('balance_insufficient')
    case 'not_reversible':
      throw new AppError('entry_not_reversible')
    case 'unbalanced':
    case 'unknown_account':
    case 'invalid':
      throw new LedgerError(`the ledger refused ${reference} of agent ${agentId}: ${outcome}`)
  }
}
