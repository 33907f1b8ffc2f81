import { sql } from 'kysely'
import { Gauge, type Registry } from 'prom-client'
import { defaultAgentId } from '@saddle/contract/constants.ts'
import { dayMs } from '@saddle/contract/time.ts'
import type { Audit } from '#audit/public.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOfValues } from '#kit/db/rows.ts'
import type { Kit } from '#kit/kit.ts'
import { verdictLine, verifyLedger } from '../ledger/verify.ts'
import { proveMoney } from './money.ts'

/** A check of another domain against the ledger: returns the first errors found, none when all agree. */
export type Reconciler = () => Promise<readonly string[]>

export type BooksVerdict = { readonly entries: number; readonly postings: number; readonly faults: readonly string[] }

export type Books = {
  /** Registers a check against the ledger; once for each, when the platform is assembled. */
  hold(name: string, reconciler: Reconciler): void
  /** Proves the ledger, runs all registered checks, and stores the result. */
  check(): Promise<BooksVerdict>
  /** Does that if a day has passed since the last time. Returns true if it did. */
  checkWhenDue(): Promise<boolean>
  /** Figures for monitoring; there are none before the first check. */
  measure(metrics: Registry): void
}

const EVERY_MS = dayMs
/** Only one of several servers checks at a time. */
const LOCK_NUMBER = 7_202_611
const MAX_FAULTS = 20

export function createBooks({ kit, audit }: { readonly kit: Kit; readonly audit: Audit }): Books {
  const { db, clock, log } = kit
  const reconcilers = new Map<string, Reconciler>()
  let gauges: { faults: Gauge; entries: Gauge } | null = null

  const check = async (id?: number): Promise<BooksVerdict> => {
    const startedAt = clock.now()
    const verdict = await verifyLedger(db)
    const money = await proveMoney(db)
    const faults = [...verdict.faults, ...money.faults]
    for (const [name, reconciler] of reconcilers) {
      faults.push(...(await reconciler()).map((fault) => `${name}: ${fault}`))
    }
    const found = { ...verdict, faults: faults.slice(0, MAX_FAULTS) }
    await keep(kit, audit, { ...found, tookMs: clock.now() - startedAt, id: id ?? (await beginCheck(kit)) })
    gauges?.faults.set(faults.length)
    gauges?.entries.set(found.entries)
    if (faults.length > 0) log.error({ faults: found.faults }, 'the books do not agree')
    else log.info({ entries: found.entries, postings: found.postings }, verdictLine(verdict))
    return found
  }

  return {
    check: () => check(),
    hold: (name, reconciler) => {
      reconcilers.set(name, reconciler)
    },
    measure: (metrics) => {
      // A process may get the jobs again after another one had them.
      gauges ??= {
        faults: new Gauge({
          name: 'saddle_books_faults',
          help: 'Faults of the last check of the books',
          registers: [metrics],
        }),
        entries: new Gauge({
          name: 'saddle_books_entries',
          help: 'Entries that the last check proved',
          registers: [metrics],
        }),
      }
    },
    checkWhenDue: async () => {
      const id = await db.system(async (tx) => {
        const lock = rowOfValues({ is_mine: computed('boolean', sql`pg_try_advisory_xact_lock(${LOCK_NUMBER})`) })
        if ((await lock.select``.execute(tx)).rows[0]?.is_mine !== true) return null
        // A statement of its own: one that began before the lock was free does not see the check of another server.
        const { rows } = await rowOfValues({
          last_at: computed('timestamptz?', sql`(select max(checked_at) from reconciliation_run)`),
        }).select`
          `.execute(tx)
        const [row] = rows
        const isDue = (row?.last_at?.getTime() ?? 0) <= clock.now() - EVERY_MS
        // Recorded before the check runs, so that no second server starts one meanwhile.
        return isDue ? insertCheck(tx, clock.now()) : null
      })
      if (id === null) return false
      await check(id)
      return true
    },
  }
}

const beginCheck = ({ db, clock }: Kit): Promise<number> => db.system((tx) => insertCheck(tx, clock.now()))

async function insertCheck(tx: Tx, atMs: number): Promise<number> {
  const { id } = await tx
    .insertInto('reconciliation_run')
    .values({ checked_at: new Date(atMs) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function keep(
  { db }: Kit,
  audit: Audit,
  found: BooksVerdict & { readonly tookMs: number; readonly id: number },
): Promise<void> {
  const { id, entries, postings, faults, tookMs } = found
  await db.system(async (tx) => {
    await tx
      .updateTable('reconciliation_run')
      .set({ state: 'done', entries, postings, faults: JSON.stringify(faults), took_ms: tookMs })
      .where('id', '=', id)
      .execute()
    await audit.write(tx, {
      agentId: defaultAgentId,
      operatorId: null,
      action: faults.length === 0 ? 'books.sound' : 'books.broken',
      subjectKind: 'agent',
      subjectId: String(defaultAgentId),
      after: { entries, postings, ...(faults.length > 0 && { faults: [...faults] }) },
    })
  })
}
