import { everyCall } from '@saddle/contract/endpoints.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { exportLimits } from '@saddle/contract/exports/jobs.ts'
import { exportRowsMax } from '@saddle/contract/exported.ts'
import { hourMs } from '@saddle/contract/time.ts'
import { z } from 'zod'
import type { SessionCall } from '#kit/call.ts'
import { DatabaseAwayError } from '#kit/db/pgErrors.ts'
import { startJob, type Job } from '#kit/job.ts'
import { apartFromCalls } from '#kit/runningCall.ts'
import { checkReach, openQuestion, type ExportDeps, type Files } from './deps.ts'
import { createParts } from './parts.ts'
import { claim, expire, fail, finish, forget, giveBack, keep, type Claimed } from './queue.ts'
import { insertPart } from './store.ts'

/** Files that one worker makes at once. */
const lanes = 2
const lookEveryMs = 2_000
const sayEveryMs = 500
const sweepEveryMs = hourMs / 6
const batchMax = 200

/** The file is no longer this worker's, or the server stops. */
class Interrupted extends Error {
  override readonly name = 'Interrupted'
  readonly isStopping: boolean

  constructor(isStopping: boolean) {
    super('the file is not made any further')
    this.isStopping = isStopping
  }
}

export function createWorker(deps: ExportDeps, files: Files) {
  const { kit } = deps
  const { db, clock, log } = kit
  const jobs: Job[] = []
  const now = (): Date => new Date(clock.now())

  const make = async (job: Claimed, ending?: AbortSignal): Promise<void> => {
    const { file, question, call } = await prepare(deps, files, job)
    const deadline = clock.now() + exportLimits.makingMs
    let saidAt = clock.now()
    const say = async (progress: { rows?: number; total?: number | null }): Promise<void> => {
      if (ending?.aborted === true) throw new Interrupted(true)
      if (clock.now() > deadline) throw new AppError('export_too_large')
      if (!(await db.system((tx) => keep(tx, job, { at: now(), ...progress })))) throw new Interrupted(false)
      saidAt = clock.now()
    }
    const parts = createParts(kit.secrets, job.export_id, async (part, sealed) => {
      await say({})
      await db.system((tx) => insertPart(tx, { exportId: job.export_id, agentId: job.agent_id, part, sealed }))
    })
    const readApart = <T>(work: () => Promise<T>): Promise<T> =>
      db.apart(() => db.fromReadDatabase(() => db.snapshot(work)))
    const rows = await readApart(async () => {
      const total = await file.source.count(question, call, exportRowsMax + 1)
      if (total !== null && total > exportRowsMax) throw new AppError('export_too_large')
      await say({ rows: 0, total })
      const written = await file.write(question, call, {
        exportId: job.export_id,
        sink: parts.sink,
        onRows: (count) =>
          clock.now() - saidAt >= sayEveryMs || ending?.aborted === true ? say({ rows: count }) : undefined,
      })
      if (total !== null && written !== total) throw new Error(`${written} rows of a list of ${total}`)
      return written
    })
    const made = { rows, ...(await parts.end()) }
    if (!(await db.system((tx) => finish(tx, job, made, now())))) throw new Interrupted(false)
  }

  /** Makes one file; resolves to whether there was one. */
  const work = async (ending?: AbortSignal): Promise<boolean> => {
    const job = ending?.aborted === true ? null : await db.system((tx) => claim(tx, now()))
    if (job === null) return false
    try {
      if (job.attempts > exportLimits.attempts) throw new Error('making the file has ended the server')
      await make(job, ending)
    } catch (error) {
      if (error instanceof Interrupted) {
        if (error.isStopping) await db.system((tx) => giveBack(tx, job))
        return true
      }
      // The lease ends, and then somebody takes it up again.
      if (error instanceof DatabaseAwayError) throw error
      if (!(error instanceof AppError)) log.error({ err: error, exportId: job.export_id }, 'an export failed')
      const code = error instanceof AppError ? error.code : 'server_error'
      await db.system((tx) => fail(tx, job, code, now()))
    }
    return true
  }
  const drain = async (ending: AbortSignal): Promise<void> => {
    // oxlint-disable-next-line no-empty -- one after the other until none is left
    while (await work(ending)) {}
  }
  const sweep = async (): Promise<void> => {
    for (;;) {
      const expired = await db.system((tx) => expire(tx, { at: now(), limit: batchMax }))
      if (expired < batchMax) break
    }
    const before = new Date(clock.now() - exportLimits.toldMs)
    for (;;) {
      if ((await db.system((tx) => forget(tx, { before, limit: batchMax }))) < batchMax) break
    }
  }

  return {
    work: () => work(),
    sweep,
    /** Looks for a file at once. */
    wake: (): void => apartFromCalls(() => jobs.forEach((job) => job.runNow())),
    start: (): (() => Promise<void>) => {
      const failure = 'looking for exports failed'
      for (let lane = 0; lane < lanes; lane += 1)
        jobs.push(startJob({ log, everyMs: lookEveryMs, run: drain, failure }))
      const sweeping = startJob({ log, everyMs: sweepEveryMs, run: sweep, failure: 'removing old exports failed' })
      return async () => {
        await Promise.all([...jobs.splice(0), sweeping].map((job) => job.stop()))
      }
    },
  }
}

/** The file of a job, what it was asked for, and a call with what its person may do and see now. */
async function prepare(deps: ExportDeps, files: Files, job: Claimed) {
  const file = files.get(job.call)
  const endpoint = Object.entries(everyCall).find(([name]) => name === job.call)?.[1]
  const access = await deps.accessOf(job.operator_id)
  if (file === undefined || endpoint === undefined) throw new AppError('not_found')
  if (access === null) throw new AppError('forbidden')
  const scope = { agentIds: job.agent_ids, areaIds: job.area_ids, operatorId: job.operator_id }
  checkReach(endpoint, scope, access)
  const question = z.parse(endpoint.input, openQuestion(deps.kit.secrets, job)) as object
  const call = callOf(job, { ...access, scope }, deps.kit.clock.now())
  await file.source.check(question, call)
  return { file, question, call }
}

/** A call that nobody waits for. */
function callOf(
  { export_id: exportId }: Claimed,
  access: Pick<SessionCall, 'caller' | 'grant' | 'scope'>,
  nowMs: number,
): SessionCall {
  const refuse = (): never => {
    throw new Error('a file that is made in the background has no cookies')
  }
  const { phone, agentId } = access.caller
  const at = Math.floor(nowMs / 1_000)
  return {
    ...access,
    requestId: exportId,
    address: '',
    userAgent: '',
    host: '',
    cookie: () => undefined,
    setCookie: refuse,
    clearCookie: refuse,
    token: {
      userId: '',
      phone,
      agentId,
      build: '',
      devId: '',
      package: '',
      iat: at,
      exp: at,
      jti: exportId,
      htm: 'POST',
      htu: '',
      bodyHash: '',
    },
  }
}
