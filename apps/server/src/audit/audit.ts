import type { SessionCall } from '#kit/call.ts'
import type { Clock } from '#kit/clock.ts'
import type { Database, Tx } from '#kit/db/pool.ts'
import { noteExport, type ExportedFile } from './exports/note.ts'
import { boundedEntry, type AuditEntry } from './lines/rules.ts'
import { insertLine } from './lines/store.ts'

export type Audit = {
  /**
   * Adds a line in the caller's transaction: the act and its line happen together or not at all. `agentId` is the
   * tenant whose data was touched and must lie within the transaction's scope. Writers of one tenant take turns until
   * they commit, so call it late in the transaction; with several tenants, in the order of their ids.
   */
  write(tx: Tx, entry: AuditEntry): Promise<void>
  /** Writes what the caller of a call did: who, from where and by which call are known of the call. */
  act(tx: Tx, call: SessionCall, act: Omit<AuditEntry, 'operatorId' | 'address' | 'requestId'>): Promise<void>
  /**
   * Writes down that a file leaves the platform, with the caller's own company: a file spans several. A later part of a
   * file whose line is there adds none; one that names no file of this person, or asks for other rows than that file was
   * of, is a file of its own, however its cursor came about. Name nobody in `detail`.
   */
  noteExport(call: SessionCall, file: ExportedFile): Promise<void>
}

export function createAudit(kit: { readonly clock: Clock; readonly db: Database }): Audit {
  const write: Audit['write'] = (tx, entry) =>
    insertLine({ tx, at: new Date(kit.clock.now()), entry: boundedEntry(entry) })
  return {
    write,
    act: (tx, call, act) => write(tx, { ...act, ...byCall(call) }),
    noteExport: (call, file) => noteExport({ db: kit.db, write }, call, file),
  }
}

const byCall = ({ caller, address, requestId }: SessionCall) => ({ operatorId: caller.operatorId, address, requestId })
