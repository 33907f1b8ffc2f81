import { AsyncLocalStorage } from 'node:async_hooks'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { exportAtOnceRows } from '@saddle/contract/exported.ts'
import { exportLimits } from '@saddle/contract/exports/jobs.ts'
import { orderEndpoints } from '@saddle/contract/riding/orders.ts'
import { createAudit } from '#audit/public.ts'
import type { Scope } from '#kit/db/scope.ts'
import { listFile, type FileChoices, type FileHandler } from '#kit/list/listFile.ts'
import { testDatabase } from '#test/database.ts'
import { sessionCall, testKit } from '#test/kit.ts'
import { leaseMs } from './jobs/queue.ts'
import { createExports } from './public.ts'

const { db, owner } = await testDatabase()
const kit = testKit(db)
const audit = createAudit(kit)
const [code] = orderEndpoints.exportOrders.permission
const person = (operatorId: number, agentId: number) =>
  sessionCall({ operatorId, agentId, grant: { agentIds: [agentId], areaIds: [agentId * 10] }, permissions: [code] })
const clerk = person(7, 3)
const foreign = person(8, 4)
/** What the clerk may do when the worker asks. */
let grant: Scope | null = clerk.grant
/** Runs work as a call does that comes meanwhile: not within the snapshot of the file. */
const outside = AsyncLocalStorage.snapshot()
/** Runs within a file, after so many rows. */
let within: ((rows: number) => Promise<void>) | null = null
let rows = 0

const source = listFile<{ filter: object; sort: string }>(
  { kit, audit },
  {
    name: 'orders',
    action: 'order.export',
    fields: { number: '订单编号', cents: { title: '金额', as: 'cents' } },
    detail: () => ({}),
    check: async () => {},
    count: async () => rows,
    parts: async function* parts() {
      for (let from = 0; from < rows; from += 1_000) {
        await within?.(from)
        yield Array.from({ length: Math.min(1_000, rows - from) }, (_, n) => ({ number: `=N${from + n}`, cents: n }))
      }
    },
  },
)
const exports = createExports({
  kit,
  audit,
  accessOf: async (operatorId) => (grant === null ? null : { caller: person(operatorId, 3).caller, grant }),
})
const { exportOrders } = exports.serve({ exportOrders: source satisfies FileHandler<{ filter: object; sort: string }> })
const { handlers } = exports
const noted = async (exportId: string) => {
  const lines = await owner
    .selectFrom('audit_record')
    .select(['action', 'operator_id'])
    .where('subject_kind', '=', 'export')
    .where('subject_id', '=', exportId)
    .orderBy('id')
    .execute()
  return lines.map(({ action, operator_id: by }) => [action, by])
}
/** What the person who asked has been told of a file. */
const told = async (event: string) =>
  owner.selectFrom('notice').select(['operator_ids', 'values']).where('event', '=', event).orderBy('id').execute()
const ask = async (choices: FileChoices = {}, by = clerk) => {
  const question = { filter: {}, sort: 'placed', ...choices }
  return (await exportOrders(question, by)).data
}
const own = async (by = clerk) =>
  (await handlers.listOwnExports({ filter: {}, sort: 'at', pageSize: 50 }, by)).data.list
const job = async (exportId: string) => (await own()).find((one) => one.exportId === exportId)!
const fetched = async (exportId: string, by = clerk) => {
  const parts: Buffer[] = []
  for (let part = 0; ; part += 1) {
    const { data } = await handlers.readExportPart({ exportId, part }, by)
    parts.push(Buffer.from(data.base64, 'base64'))
    if (parts.length === data.parts) return Buffer.concat(parts)
  }
}

beforeAll(async () => {
  await owner
    .insertInto('agent')
    .values([
      { id: 3, company: '东湖' },
      { id: 4, parent_id: 3, company: '西山' },
    ])
    .execute()
})
afterEach(async () => {
  within = null
  grant = clerk.grant
  await owner.deleteFrom('export_job').execute()
})

it('answers a small file at once, keeps it, and notes who fetches it again', async () => {
  rows = 3
  const answer = await ask()
  expect(answer).toMatchObject({ state: 'done', rows: 3, base64: null })
  expect(answer.text.split('\r\n')[1]).toBe(`"'=N0",0,${answer.exportId},测试员`)
  expect(await job(answer.exportId)).toMatchObject({ state: 'done', rows: 3, isOwn: true, format: 'csv' })
  expect((await fetched(answer.exportId)).toString()).toBe(answer.text)
  expect(await noted(answer.exportId)).toEqual([
    ['order.export', 7],
    ['export.download', 7],
  ])
  const book = await ask({ format: 'xlsx' })
  expect(
    Buffer.from(book.base64 ?? '', 'base64')
      .subarray(0, 4)
      .toString('latin1'),
  ).toBe('PK\u0003\u0004')
  expect((await fetched(book.exportId)).toString('base64')).toBe(book.base64)
})

it('leaves a large file to the worker, in parts', async () => {
  rows = exportAtOnceRows * 8
  const answer = await ask()
  expect(answer).toMatchObject({ state: 'queued', rows: 0, text: '' })
  await expect(handlers.readExportPart({ exportId: answer.exportId, part: 0 }, clerk)).rejects.toMatchObject({
    code: 'export_gone',
  })
  expect(await exports.work()).toBe(true)
  expect(await exports.work()).toBe(false)
  const made = await job(answer.exportId)
  expect(made).toMatchObject({ state: 'done', rows, total: rows })
  expect(await told('export_done')).toMatchObject([{ operator_ids: [7], values: { rows } }])
  expect(made.parts).toBeGreaterThan(1)
  const text = (await fetched(answer.exportId)).toString()
  expect(text.trimEnd().split('\r\n')).toHaveLength(rows + 1)
  expect(Buffer.byteLength(text)).toBe(made.bytes)
  // One line for the file, however many parts it has.
  expect(await noted(answer.exportId)).toEqual([
    ['order.export', 7],
    ['export.download', 7],
  ])
})

it('makes files by jobs that were ended and begun again, as in a process that lost the lock of the jobs for a while', async () => {
  await exports.startBackground()()
  rows = exportAtOnceRows * 8
  const { exportId } = await ask()
  const end = exports.startBackground()
  await expect.poll(async () => (await job(exportId)).state).toBe('done')
  await end()
})

it('notes a download whichever part of the file is fetched first', async () => {
  rows = exportAtOnceRows * 8
  const { exportId } = await ask()
  await exports.work()
  const fetch = (part: number) => handlers.readExportPart({ exportId, part }, clerk)
  const downloads = async () => (await noted(exportId)).filter(([action]) => action === 'export.download').length
  await fetch(1)
  expect(await downloads()).toBe(1)
  await fetch(1)
  expect(await downloads()).toBe(1)
  await fetch(0)
  expect(await downloads()).toBe(2)
  await fetch(1)
  expect(await downloads()).toBe(2)
  kit.clock.advance(exportLimits.downloadMs)
  await fetch(1)
  expect(await downloads()).toBe(3)
})

it('ends a file that is cancelled while it is made', async () => {
  rows = exportAtOnceRows * 2
  const { exportId } = await ask()
  within = async (from) => {
    kit.clock.advance(1_000)
    if (from === 3_000) await outside(() => handlers.cancelExport({ exportId }, clerk))
  }
  await exports.work()
  expect(await job(exportId)).toMatchObject({ state: 'cancelled' })
  expect(await owner.selectFrom('export_part').select('id').execute()).toEqual([])
  await expect(handlers.cancelExport({ exportId }, clerk)).rejects.toMatchObject({ code: 'conflict' })
  expect(await noted(exportId)).toEqual([
    ['order.export', 7],
    ['export.cancel', 7],
  ])
})

it('begins a file again whose worker is gone, and the old worker writes nothing more', async () => {
  rows = exportAtOnceRows * 2
  const { exportId } = await ask()
  let release = (): void => {}
  const stuck = new Promise<void>((resolve) => {
    release = resolve
  })
  let reach = (): void => {}
  const reached = new Promise<void>((resolve) => {
    reach = resolve
  })
  within = async (from) => {
    if (from < 4_000) return
    reach()
    await stuck
    kit.clock.advance(1_000)
  }
  const first = exports.work()
  await reached
  within = null
  expect(await exports.work(), 'it is still held').toBe(false)
  kit.clock.advance(leaseMs + 1)
  expect(await exports.work()).toBe(true)
  expect(await job(exportId)).toMatchObject({ state: 'done', rows })
  release()
  await first
  expect(await job(exportId)).toMatchObject({ state: 'done', rows })
  expect((await fetched(exportId)).toString().trimEnd().split('\r\n')).toHaveLength(rows + 1)
})

it('removes files whose time is over', async () => {
  rows = 1
  const { exportId } = await ask()
  kit.clock.advance(exportLimits.keptMs + 1)
  await exports.sweep()
  expect(await job(exportId)).toMatchObject({ state: 'expired', expiresAt: null })
  expect(await owner.selectFrom('export_part').select('id').execute()).toEqual([])
  await expect(fetched(exportId)).rejects.toMatchObject({ code: 'export_gone' })
  kit.clock.advance(exportLimits.toldMs)
  await exports.sweep()
  expect(await own()).toEqual([])
})

it('gives a file to nobody else, nor to who has lost the permission or an area', async () => {
  rows = 2
  const { exportId } = await ask()
  expect(await own(foreign)).toEqual([])
  const colleague = person(9, 3)
  for (const by of [foreign, colleague]) {
    await expect(handlers.readExportPart({ exportId, part: 0 }, by)).rejects.toMatchObject({ code: 'not_found' })
    await expect(handlers.removeExport({ exportId }, by)).rejects.toMatchObject({ code: 'not_found' })
  }
  const { data } = await handlers.listCompanyExports({ filter: {}, sort: 'at', pageSize: 20 }, colleague)
  expect(data.list.map(({ isOwn, operatorName }) => [isOwn, operatorName])).toEqual([[false, '测试员']])
  const demoted = { ...clerk, caller: { ...clerk.caller, permissions: new Set<string>() } }
  await expect(fetched(exportId, demoted)).rejects.toMatchObject({ code: 'forbidden' })
  const narrowed = { ...clerk, grant: { ...clerk.grant, areaIds: [] } }
  await expect(fetched(exportId, narrowed)).rejects.toMatchObject({ code: 'foreign_scope' })
  await handlers.removeExport({ exportId }, clerk)
  await expect(fetched(exportId)).rejects.toMatchObject({ code: 'export_gone' })
  // What was refused leaves no line.
  expect(await noted(exportId)).toEqual([
    ['order.export', 7],
    ['export.remove', 7],
  ])
})

it('fails a file of somebody who has lost the right to it meanwhile', async () => {
  rows = exportAtOnceRows + 1
  const { exportId } = await ask()
  grant = { ...clerk.grant, areaIds: [] }
  await exports.work()
  expect(await job(exportId)).toMatchObject({ state: 'failed', failure: 'foreign_scope' })
  const second = await ask()
  grant = null
  await exports.work()
  expect(await job(second.exportId)).toMatchObject({ state: 'failed', failure: 'forbidden' })
  grant = clerk.grant
  const third = await ask()
  // It has ended the server as often as a file may.
  await owner.updateTable('export_job').set({ attempts: exportLimits.attempts }).where('state', '=', 'queued').execute()
  await exports.work()
  expect(await job(third.exportId)).toMatchObject({ state: 'failed', failure: 'server_error' })
  const files = await Promise.all([exportId, second.exportId, third.exportId].map(job))
  const expected = files.map(({ fileName: file }) => ({ operator_ids: [7], values: { file } }))
  expect(await told('export_failed')).toMatchObject(expected)
})

it('lets one person wait for so many files', async () => {
  rows = exportAtOnceRows + 1
  for (let n = 0; n < exportLimits.openPerPerson; n += 1) await ask()
  await expect(ask()).rejects.toMatchObject({ code: 'export_busy' })
})
