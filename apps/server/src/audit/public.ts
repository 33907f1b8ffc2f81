import type { auditEndpoints } from '@saddle/contract/audit/lines.ts'
import type { Handlers } from '#kit/call.ts'
import type { Clock } from '#kit/clock.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Kit } from '#kit/kit.ts'
import { startAnchoring } from './chain/anchors.ts'
import { createChainHandlers } from './chain/handlers.ts'
import { boundedEntry, type AuditEntry } from './lines/rules.ts'
import { insertLine } from './lines/store.ts'
import { createSearchHandlers } from './search/handlers.ts'

export { anchorFolder } from './chain/anchorFile.ts'
export { noteExport } from './exports/note.ts'
export { exportPart, type CsvColumns } from './exports/part.ts'
export { byPlace, type AuditEntry } from './lines/rules.ts'

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

export type AuditTrail = {
  readonly handlers: Handlers<typeof auditEndpoints>
  /** Keeps the ends of the chains elsewhere, again and again; returns what ends it. For the worker; safe on several at once. */
  startBackground(): () => Promise<void>
}

/** The trail to be read: searches, files, and the proof that it is whole. */
export function createAuditTrail(
  kit: Kit,
  others: {
    readonly audit: Audit
    /** What stands in the place of a phone number in the table of people. */
    readonly phoneHash: (phone: string) => string
  },
): AuditTrail {
  return {
    handlers: { ...createSearchHandlers(kit, others), ...createChainHandlers(kit) },
    startBackground: () => startAnchoring(kit),
  }
}
