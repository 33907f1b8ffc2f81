import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { createSeededRandom, randomBelow } from '#kit/random.ts'
import { testDatabase } from '#test/database.ts'
import { testKit } from '#test/kit.ts'
import { leaseMs } from './jobs/queue.ts'
import { killedClerk, killedExports, killedRows } from './killed.fixture.ts'
import { thorough } from '../../../../scripts/lib/thorough.mjs'

/** Each file is begun three times and killed twice. */
const files = thorough({ normal: 2, long: 5, full: 30 })
const kills = 2
const script = fileURLToPath(import.meta.resolve('#test/makeExport.ts'))
const { db, owner, url } = await testDatabase()
const kit = testKit(db)
const { exports, exportOrders } = killedExports(kit, () => {})
const random = createSeededRandom(20_261_123)

/** Runs a process that makes the file; kills it when it has read so many rows. Resolves to its last word. */
async function make(killedAt: number | null): Promise<string> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, String(kit.clock.now())], {
    env: { ...process.env, DATABASE_URL: url },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let last = ''
  for await (const word of createInterface({ input: child.stdout })) {
    last = word
    if (killedAt !== null && Number(word) >= killedAt) child.kill('SIGKILL')
  }
  return last
}

it(
  'a file whose process is killed is made again by the next one: once, with every row',
  { timeout: 600_000 },
  async () => {
    await owner.insertInto('agent').values({ id: 3, company: '东湖' }).execute()
    for (let file = 0; file < files; file += 1) {
      const format = file % 2 === 0 ? ('csv' as const) : ('xlsx' as const)
      const { data } = await exportOrders({ filter: {}, sort: 'placed', format }, killedClerk)
      expect(data.state).toBe('queued')
      for (let kill = 0; kill < kills; kill += 1) {
        const at = 1_000 * (1 + randomBelow({ random, bound: killedRows / 1_000 - 10 }))
        expect(await make(at)).not.toBe('made')
        expect(await make(null), 'it is still held').toBe('none')
        kit.clock.advance(leaseMs + 1)
      }
      expect(await make(null)).toBe('made')
      const { data: own } = await exports.handlers.listOwnExports(
        { filter: { exportIds: [data.exportId] }, sort: 'at', pageSize: 20 },
        killedClerk,
      )
      expect(own.list).toMatchObject([{ state: 'done', rows: killedRows, total: killedRows, format }])
      const parts: Buffer[] = []
      const { parts: count = 0, bytes = 0 } = own.list[0] ?? {}
      for (let part = 0; part < count; part += 1) {
        const answer = await exports.handlers.readExportPart({ exportId: data.exportId, part }, killedClerk)
        parts.push(Buffer.from(answer.data.base64, 'base64'))
      }
      const whole = Buffer.concat(parts)
      expect(whole.length).toBe(bytes)
      if (format === 'csv') expect(whole.toString().trimEnd().split('\r\n')).toHaveLength(killedRows + 1)
      const { rows } = await owner
        .selectFrom('export_part')
        .select((k) => k.fn.countAll<number>().as('rows'))
        .where('export_id', '=', data.exportId)
        .executeTakeFirstOrThrow()
      expect(rows).toBe(count)
    }
  },
)
