import type { SessionCall } from '#kit/call.ts'
import type { Clock } from '#kit/clock.ts'
import type { Database, Tx } from '#kit/db/pool.ts'
import { noteExport, type ExportedFile } from './exports/note.ts'
import { boundedEntry, type AuditEntry, type WriteAudit } from './records/rules.ts'
import { insertRecord } from './records/store.ts'

export type Audit = {
  /**
   * Adds a record in the caller's transaction: the action and its record commit together. `agentId` is the
   * tenant whose data was changed and must lie within the transaction's scope. Writers of one tenant wait for each other
   * until they commit, so call it late in the transaction; with several tenants, in the order of their ids.
   */
  write: WriteAudit
  /** Writes an action of the caller; operator, address and request id are taken from the call. */
  act(
    tx: Tx,
    call: Pick<SessionCall, 'caller' | 'address' | 'requestId'>,
    act: Omit<AuditEntry, 'operatorId' | 'address' | 'requestId'>,
  ): Promise<void>
  /**
   * Audits an export under the caller's own company, because a file may span several. Put no personal data into `detail`.
   */
  noteExport(call: SessionCall, file: ExportedFile): Promise<void>
}

export function createAudit(kit: { readonly clock: Clock; readonly db: Database }): Audit {
  const write: WriteAudit = (tx, entry) =>
    insertRecord({ tx, at: new Date(kit.clock.now()), entry: boundedEntry(entry) })
  return {
    write,
    act: (tx, call, act) => write(tx, { ...act, ...byCall(call) }),
    noteExport: (call, file) => noteExport({ db: kit.db, write }, call, file),
  }
}

const byCall = ({ caller, address, requestId }: Pick<SessionCall, 'caller' | 'address' | 'requestId'>) => ({
  operatorId: caller.operatorId,
  address,
  requestId,
})
