import type { Clock } from '#kit/clock.ts'
import type { Tx } from '#kit/db/pool.ts'
import { boundedEntry, type AuditEntry } from './lines/rules.ts'
import { insertLine } from './lines/store.ts'

export type Audit = {
  /**
   * Adds a line in the caller's transaction: the act and its line happen together or not at all. `agentId` is the
   * tenant whose data was touched and must lie within the transaction's scope. Writers of one tenant take turns until
   * they commit, so call it late in the transaction; with several tenants, in the order of their ids.
   */
  write(tx: Tx, entry: AuditEntry): Promise<void>
}

export function createAudit(kit: { readonly clock: Clock }): Audit {
  return {
    write: (tx, entry) => insertLine({ tx, at: new Date(kit.clock.now()), entry: boundedEntry(entry) }),
  }
}
