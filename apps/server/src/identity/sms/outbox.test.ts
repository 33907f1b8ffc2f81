import { appendFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createManualClock } from '#kit/clock.ts'
import { createSmsOutbox, outboxFile, readOutbox } from './outbox.ts'
import { latestCode } from './outboxCli.ts'

const clock = createManualClock(1_000_000)
const phone = '13800138000'
let dataDir = ''
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'saddle-outbox-'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

const outboxHere = () => createSmsOutbox({ config: { dataDir }, clock })

test('keeps messages in memory and in a file that only the owner may read', async () => {
  const outbox = outboxHere()
  await outbox.send({ phone, code: '111111', ttlMinutes: 5 })
  await outbox.send({ phone, code: '222222', ttlMinutes: 5 })
  await outbox.send({ phone: '13900139000', code: '333333', ttlMinutes: 5 })
  expect(outbox.latestFor(phone)).toEqual({ phone, code: '222222', ttlMinutes: 5, sentAt: 1_000_000 })
  expect(outbox.latestFor('13700137000')).toBeNull()
  expect(outbox.recent().map((line) => line.code)).toEqual(['333333', '222222', '111111'])
  expect((await readOutbox(outboxFile(dataDir))).map((line) => line.code)).toEqual(['111111', '222222', '333333'])
  expect((await stat(outboxFile(dataDir))).mode & 0o777).toBe(0o600)
})

test('goes on with the file of an earlier run, over a line that was cut short', async () => {
  await outboxHere().send({ phone, code: '111111', ttlMinutes: 5 })
  await appendFile(outboxFile(dataDir), '{"phone":"138\n')
  await outboxHere().send({ phone, code: '222222', ttlMinutes: 5 })
  expect((await readOutbox(outboxFile(dataDir))).map((line) => line.code)).toEqual(['111111', '222222'])
})

test('is bounded, in memory and on disk', async () => {
  const outbox = outboxHere()
  await Promise.all(
    Array.from({ length: 1_100 }, (_, index) =>
      outbox.send({ phone, code: String(index).padStart(6, '0'), ttlMinutes: 5 }),
    ),
  )
  expect(outbox.recent()).toHaveLength(200)
  const lines = (await readFile(outboxFile(dataDir), 'utf8')).trim().split('\n')
  expect(lines.length).toBeLessThan(1_000)
  expect(lines.at(-1)).toContain('001099')
  expect((await stat(outboxFile(dataDir))).mode & 0o777).toBe(0o600)
})

test('the command prints the newest code while it is good', async () => {
  const outbox = outboxHere()
  await outbox.send({ phone, code: '111111', ttlMinutes: 5 })
  await outbox.send({ phone, code: '222222', ttlMinutes: 5 })
  const at = (nowMs: number): Promise<string> => latestCode({ dataDir, phone, nowMs })
  expect(await at(1_000_000 + 300_000)).toBe('222222')
  await expect(at(1_000_000 + 300_001)).rejects.toThrow('expired')
  await expect(latestCode({ dataDir, phone: '13900139000', nowMs: 0 })).rejects.toThrow('no message')
  await expect(latestCode({ dataDir, phone: '--help', nowMs: 0 })).rejects.toThrow('usage')
})

test('the command runs as a program', async () => {
  await createSmsOutbox({ config: { dataDir }, clock: { now: () => Date.now() } }).send({
    phone,
    code: '042042',
    ttlMinutes: 5,
  })
  const program = join(import.meta.dirname, 'outboxCli.ts')
  const run = (args: string[]) =>
    promisify(execFile)(process.execPath, [program, ...args], { env: { ...process.env, DATA_DIR: dataDir } })
  expect((await run([phone])).stdout).toBe('042042\n')
  await expect(run(['13900139000'])).rejects.toMatchObject({ code: 1, stdout: '' })
})
