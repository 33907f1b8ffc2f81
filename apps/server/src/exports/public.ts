import { exportLimits, type exportEndpoints } from '@saddle/contract/exports/jobs.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import type { FileAnswer, FileChoices, FileHandler, ListFile } from '#kit/list/listFile.ts'
import { sealQuestion, type ExportDeps } from './jobs/deps.ts'
import { createExportHandlers } from './jobs/handlers.ts'
import { createParts } from './jobs/parts.ts'
import { insertMade, insertPart, insertQueued, readUsage, type NewExport } from './jobs/store.ts'
import { createWorker } from './jobs/worker.ts'

export { exportsKeyed } from './keyed.ts'
export { presentExport, shownExports } from './jobs/store.ts'

export interface Exports {
  readonly handlers: Handlers<typeof exportEndpoints>
  /** The same handlers; those of files of lists keep what they make here, and leave large files to the worker. */
  serve<T extends object>(handlers: T): T
  startBackground(): () => Promise<void>
  /** Makes the file that waits longest; resolves to whether there was one. */
  work(): Promise<boolean>
  /** Removes files whose time is over. */
  sweep(): Promise<void>
}

/** The export centre: files of all lists, made from one snapshot, kept until they expire. */
export function createExports(deps: ExportDeps): Exports {
  const files = new Map<string, ListFile<object>>()
  const worker = createWorker(deps, files)
  return {
    handlers: createExportHandlers(deps, files),
    serve: (handlers) => {
      const served = Object.entries(handlers).map(([name, handler]) => {
        if (!isFileHandler(handler)) return [name, handler]
        files.set(name, handler.file)
        return [name, keeping(deps, { name, handler, wake: worker.wake })]
      })
      return Object.fromEntries(served) as typeof handlers
    },
    startBackground: worker.start,
    work: worker.work,
    sweep: worker.sweep,
  }
}

const isFileHandler = (handler: unknown): handler is FileHandler<object> =>
  typeof handler === 'function' && 'file' in handler

/** A handler whose answers are kept in the export centre. */
function keeping(
  { kit }: ExportDeps,
  served: { readonly name: string; readonly handler: FileHandler<object>; readonly wake: () => void },
) {
  const { db, clock, secrets } = kit
  const { name, handler, wake } = served
  return async (question: FileChoices, call: SessionCall): Promise<FileAnswer> => {
    const answer = await handler(question, call)
    const { format = 'csv' } = question
    // Files for maps are no tables; they are answered and not kept.
    if (format !== 'csv' && format !== 'xlsx') return answer
    const { exportId, fileName, state, rows, text, base64 } = answer.data
    const { agentId, operatorId, name: operatorName } = call.caller
    const job: NewExport = {
      exportId,
      agentId,
      operatorId,
      operatorName,
      call: name,
      action: handler.file.source.action,
      fileName,
      format,
      questionSealed: sealQuestion(secrets, exportId, question),
      scope: call.scope,
      at: new Date(clock.now()),
    }
    const sealed: Buffer[] = []
    const parts = createParts(secrets, exportId, async (_, part) => void sealed.push(part))
    await parts.sink(base64 === null ? Buffer.from(text) : Buffer.from(base64, 'base64'))
    const made = { rows, ...(await parts.end()) }
    const company = { agentIds: [agentId], areaIds: [], operatorId }
    await db.withScope(company, async (tx) => {
      const usage = await readUsage(tx, { agentId, operatorId })
      if (usage.bytes + made.bytes > exportLimits.bytesPerCompany) throw new AppError('export_full')
      if (state === 'done') {
        await insertMade(tx, job, made)
        for (const [part, bytes] of sealed.entries()) await insertPart(tx, { exportId, agentId, part, sealed: bytes })
        return
      }
      const isBusy = usage.own >= exportLimits.openPerPerson || usage.open >= exportLimits.openPerCompany
      if (isBusy) throw new AppError('export_busy')
      await insertQueued(tx, job)
      db.afterCommit(tx, wake)
    })
    return answer
  }
}
