import { sql } from 'kysely'
import { beforeEach, expect, it } from 'vitest'
import { testDatabase } from '#test/database.ts'

const { db, owner } = await testDatabase()

beforeEach(async () => {
  await sql`drop table if exists numbers`.execute(owner)
  await sql`create table numbers (n integer primary key)`.execute(owner)
  await sql`grant select, insert on numbers to saddle_system`.execute(owner)
})

const signature = Buffer.from('PGCOPY\n\u00ff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
const row = (n: number): Buffer => {
  const bytes = Buffer.alloc(10)
  bytes.writeInt16BE(1, 0)
  bytes.writeInt32BE(4, 2)
  bytes.writeInt32BE(n, 6)
  return bytes
}
const end = Buffer.from([0xff, 0xff])

const copy = (chunks: Iterable<Uint8Array>) =>
  db.system((tx) => db.copyIn(tx, { sql: 'copy numbers (n) from stdin (format binary)', chunks }))
const stored = async () =>
  (await sql<{ n: number }>`select n from numbers order by n`.execute(owner)).rows.map(({ n }) => n)

it('takes rows in any number of chunks and says how many they were', async () => {
  expect(await copy([signature, row(1), Buffer.concat([row(2), row(3)]), end])).toBe(3)
  expect(await copy([Buffer.concat([signature, end])])).toBe(0)
  // Cut in the middle of a row.
  const whole = Buffer.concat([signature, row(4), end])
  expect(await copy([whole.subarray(0, 25), whole.subarray(25)])).toBe(1)
  expect(await stored()).toEqual([1, 2, 3, 4])
})

it('what the database refuses takes the transaction back and leaves the connection usable', async () => {
  await copy([signature, row(1), end])
  await expect(copy([signature, row(2), row(1), end])).rejects.toMatchObject({ code: '23505' })
  await expect(copy([signature, row(2).subarray(0, 8)]), 'half a row').rejects.toMatchObject({ code: '22P04' })
  await expect(copy([Buffer.from('nonsense'), end])).rejects.toMatchObject({ code: '22P04' })
  expect(await copy([signature, row(3), end])).toBe(1)
  expect(await stored()).toEqual([1, 3])
})

it('what the chunks throw is the reason that the caller gets', async () => {
  function* broken() {
    yield signature
    yield row(1)
    throw new RangeError('this cannot be encoded')
  }
  await expect(copy(broken())).rejects.toThrow('this cannot be encoded')
  expect(await copy([signature, row(2), end])).toBe(1)
  expect(await stored()).toEqual([2])
})

it('runs among other statements of its transaction', async () => {
  const seen = await db.system(async (tx) => {
    await sql`insert into numbers values (10)`.execute(tx)
    await db.copyIn(tx, { sql: 'copy numbers (n) from stdin (format binary)', chunks: [signature, row(11), end] })
    return (await sql<{ n: number }>`select n from numbers order by n`.execute(tx)).rows
  })
  expect(seen).toEqual([{ n: 10 }, { n: 11 }])
  expect(() => db.copyIn(owner, { sql: 'copy numbers from stdin', chunks: [] })).toThrow('copyIn needs')
})
