import { exportLimits, type exportEndpoints } from '@saddle/contract/exports/jobs.ts'
import type { shownTableEndpoints } from '@saddle/contract/exports/shown.ts'
import { everyCall } from '@saddle/contract/endpoints.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { businessDayOf } from '@saddle/contract/time.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Scope } from '#kit/db/scope.ts'
import { randomUuid } from '#kit/random.ts'
import type { FileAnswer, FileChoices, FileHandler, ListFile } from '#kit/list/listFile.ts'
import { checkReach, sealQuestion, type Access, type ExportDeps, type Files } from './jobs/deps.ts'
import { createExportHandlers } from './jobs/handlers.ts'
import { createParts } from './jobs/parts.ts'
import { insertMade, insertPart, insertQueued, readUsage, type NewExport } from './jobs/store.ts'
import { createWorker } from './jobs/worker.ts'
import { createShownHandlers } from './shown/handlers.ts'

export { exportsKeyed } from './keyed.ts'
export { presentExport, shownExports } from './jobs/store.ts'

export interface Exports {
  readonly handlers: Handlers<typeof exportEndpoints & typeof shownTableEndpoints>
  /** The same handlers; those of files of lists keep what they make here, and leave large files to the worker. */
  serve<T extends object>(handlers: T): T
  /** Lets the worker make a file of a list for somebody, who did not ask for it themselves; the caller tells them of it. Resolves to its id. */
  queue(tx: Tx, asked: QueuedFile): Promise<string>
  startBackground(): () => Promise<void>
  /** Makes the file that waits longest; resolves to whether there was one. */
  work(): Promise<boolean>
  /** Removes files whose time is over. */
  sweep(): Promise<void>
}

interface QueuedFile {
  /** The name of the list's file call. */
  readonly call: string
  readonly question: FileChoices & Readonly<Record<string, unknown>>
  /** Whose file it becomes. */
  readonly access: Access
  readonly scope: Scope
}

/** The export centre: files of all lists, made from one snapshot, kept until they expire. */
export function createExports(deps: ExportDeps): Exports {
  const files = new Map<string, ListFile<object>>()
  const worker = createWorker(deps, files)
  return {
    handlers: { ...createExportHandlers(deps, files), ...createShownHandlers(deps) },
    serve: (handlers) => {
      const served = Object.entries(handlers).map(([name, handler]) => {
        if (!isFileHandler(handler)) return [name, handler]
        files.set(name, handler.file)
        return [name, keeping(deps, { name, handler, wake: worker.wake })]
      })
      return Object.fromEntries(served) as typeof handlers
    },
    queue: async (tx, asked) => {
      const exportId = await queueFile(deps, files, tx, asked)
      deps.kit.db.afterCommit(tx, worker.wake)
      return exportId
    },
    startBackground: worker.start,
    work: worker.work,
    sweep: worker.sweep,
  }
}

async function queueFile({ kit, audit }: ExportDeps, files: Files, tx: Tx, asked: QueuedFile): Promise<string> {
  const { call, question, access, scope } = asked
  const { agentId, operatorId, name: operatorName } = access.caller
  const file = files.get(call)
  const endpoint = Object.entries(everyCall).find(([name]) => name === call)?.[1]
  if (file === undefined || endpoint === undefined) throw new Error(`${call} makes no file`)
  checkReach(endpoint, scope, access)
  const exportId = randomUuid(kit.random)
  const { format = 'csv' } = question
  const { name, action, detail } = file.source
  const at = kit.clock.now()
  await insertQueued(tx, {
    exportId,
    agentId,
    operatorId,
    operatorName,
    call,
    action,
    fileName: `${name}-${businessDayOf(at)}-${exportId.slice(0, 8)}.${format}`,
    format,
    questionSealed: sealQuestion(kit.secrets, exportId, question),
    scope,
    at: new Date(at),
    isAsked: false,
  })
  await audit.write(tx, {
    agentId,
    operatorId,
    address: null,
    requestId: exportId,
    action,
    subjectKind: 'export',
    subjectId: exportId,
    after: detail(question),
  })
  return exportId
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
      await insertQueued(tx, { ...job, isAsked: true })
      db.afterCommit(tx, wake)
    })
    return answer
  }
}
