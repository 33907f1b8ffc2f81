import { expect, it } from 'vitest'
import { silentLog } from '#kit/log.ts'
import { createBatchWriter } from './batches.ts'

const faultOfItem = new Error('the item')

function start(write: (items: readonly number[]) => Promise<void>) {
  const dropped: number[] = []
  const writer = createBatchWriter<number>({
    write,
    isFaultOfItems: (error) => error === faultOfItem,
    onDropped: (item) => dropped.push(item),
    log: silentLog,
    flushAfterMs: 1,
    patientMs: 5,
    maxItems: 10,
    behindAbove: 20,
    retryAfterMs: 1,
  })
  return { writer, dropped }
}

it('writes what comes together in one go and tells each when it is done', async () => {
  const batches: (readonly number[])[] = []
  const { writer } = start(async (items) => {
    batches.push(items)
  })
  await Promise.all([writer.add(1), writer.add(2), writer.add(3)])
  await writer.add(4)
  expect(batches).toEqual([[1, 2, 3], [4]])
})

it('is behind while the database is slow, writes in bounded batches, one at a time, in order', async () => {
  let release = (): void => {}
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  const written: number[] = []
  let atOnce = 0
  const { writer } = start(async (items) => {
    atOnce += 1
    expect(atOnce).toBe(1)
    expect(items.length).toBeLessThanOrEqual(10)
    await gate
    written.push(...items)
    atOnce -= 1
  })
  const all = Array.from({ length: 45 }, (_, item) => writer.add(item))
  expect(writer.isBehind()).toBe(true)
  const caughtUp = writer.caughtUp()
  release()
  await caughtUp
  expect(writer.isBehind()).toBe(false)
  await Promise.all(all)
  expect(written).toEqual(Array.from({ length: 45 }, (_, item) => item))
})

it('one bad item does not hold up the others', async () => {
  const written: number[] = []
  const { writer, dropped } = start(async (items) => {
    if (items.includes(3)) throw faultOfItem
    written.push(...items)
  })
  const outcomes = await Promise.allSettled([1, 2, 3, 4, 5].map((item) => writer.add(item)))
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
  expect(written).toEqual([1, 2, 4, 5])
  expect(dropped).toEqual([3])
})

it('tries again while the database is away', async () => {
  let failures = 3
  const { writer } = start(async () => {
    failures -= 1
    if (failures >= 0) throw new Error('connection refused')
  })
  await expect(writer.add(1)).resolves.toBeUndefined()
  expect(failures).toBe(-1)
})

it('closing writes all that waits, and gives up what cannot be written', async () => {
  const written: number[] = []
  const good = start(async (items) => {
    written.push(...items)
  })
  const waiting = Array.from({ length: 25 }, (_, item) => good.writer.add(item))
  await good.writer.close()
  await Promise.all(waiting)
  expect(written).toHaveLength(25)
  await expect(good.writer.add(1)).rejects.toThrow('closed')

  const bad = start(async () => {
    throw new Error('connection refused')
  })
  const lost = Promise.allSettled([bad.writer.add(1)])
  await bad.writer.close()
  expect(await lost).toMatchObject([{ status: 'rejected' }])
})

it('lets patient items wait for others, and brings them along with one that is urgent', async () => {
  const batches: (readonly number[])[] = []
  const writer = createBatchWriter<number>({
    write: async (items) => void batches.push(items),
    isFaultOfItems: () => false,
    onDropped: () => {},
    log: silentLog,
    flushAfterMs: 1,
    // Longer than the test may take: only what is urgent, or many, begins a batch.
    patientMs: 600_000,
    maxItems: 100,
    behindAbove: 200,
    retryAfterMs: 1,
  })
  const patient = (item: number) => new Promise((settled) => writer.push(item, { settled }, { isPatient: true }))
  await Promise.all([patient(1), patient(2), writer.add(3)])
  await Promise.all(Array.from({ length: 64 }, (_, n) => patient(n + 4)))
  const last = patient(68)
  await writer.close()
  expect(await last).toBeNull()
  expect(batches.map((batch) => batch.length)).toEqual([3, 64, 1])
})
