import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentLog } from '#kit/log.ts'
import { testDatabase } from '#test/database.ts'
import { migrate, MIGRATIONS_FOLDER, MigrationError, readMigrations } from './migrate.ts'

const { url, owner } = await testDatabase()
let folder = ''

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'saddle-migrations-'))
  await sql`truncate migration`.execute(owner)
  await sql`drop table if exists first_thing, second_thing`.execute(owner)
})
afterEach(() => rmSync(folder, { recursive: true }))

function write(name: string, files: { up: string; check?: string }): void {
  mkdirSync(join(folder, name), { recursive: true })
  writeFileSync(join(folder, name, 'up.sql'), files.up)
  writeFileSync(join(folder, name, 'check.sql'), files.check ?? 'select true as ok')
  writeFileSync(join(folder, name, 'why.md'), 'because')
}
function writeBaseline(path: string, sql: string): void {
  mkdirSync(join(folder, 'baseline', path, '..'), { recursive: true })
  writeFileSync(join(folder, 'baseline', path), sql)
}
const run = (): Promise<string[]> => migrate({ url, log: silentLog, folder })
const exists = async (table: string): Promise<boolean> =>
  (await sql<{ there: boolean }>`select to_regclass(${table}) is not null as there`.execute(owner)).rows[0]!.there

const FIRST = '202601010000-first'
const SECOND = '202601020000-second-thing'

describe('migrate', () => {
  it('applies what is missing, in order, once, also when several processes ask', async () => {
    write(SECOND, { up: 'create table second_thing as select * from first_thing' })
    write(FIRST, { up: 'create table first_thing (a int); insert into first_thing values (1)' })
    const answers = await Promise.all([run(), run(), run()])
    expect(answers.toSorted((a, b) => b.length - a.length)).toEqual([[FIRST, SECOND], [], []])
    expect((await sql`select a from second_thing`.execute(owner)).rows).toEqual([{ a: 1 }])
    expect(await run()).toEqual([])
  })

  it('applies the baseline before every step: domain by domain, base before tables before functions, checks at the end', async () => {
    write(FIRST, { up: 'insert into second_thing values (2)' })
    writeBaseline('01-first/tables.sql', 'create table first_thing as select first_value() as a')
    writeBaseline('01-first/base.sql', "create function first_value() returns int language sql as 'select 1'")
    writeBaseline('01-first/check.sql', 'select count(*) = 1 as ok from second_thing')
    writeBaseline('02-second/functions.sql', 'drop function first_value()')
    writeBaseline('02-second/tables.sql', 'create table second_thing as select a from first_thing')
    expect(await run()).toEqual(['baseline', FIRST])
    expect((await sql`select a from second_thing order by 1`.execute(owner)).rows).toEqual([{ a: 1 }, { a: 2 }])

    writeBaseline('02-second/check.sql', 'select true as ok')
    await expect(run()).rejects.toThrow('was edited')
  })

  it('names the file of the baseline that fails', async () => {
    writeBaseline('01-first/tables.sql', 'create table first_thing (a int)')
    writeBaseline('02-second/tables.sql', 'create table second_thing (a no_type)')
    await expect(run()).rejects.toThrow('02-second/tables.sql')
    expect(await exists('first_thing')).toBe(false)
    writeBaseline('third/tables.sql', 'select 1')
    expect(() => readMigrations(folder)).toThrow('is not a domain of the baseline')
  })

  it('takes back a migration whose check does not hold, and keeps those before it', async () => {
    write(FIRST, { up: 'create table first_thing (a int)' })
    write(SECOND, {
      up: 'create table second_thing (a int)',
      check: "select true as ok; select 'rows' as what, false as ok",
    })
    await expect(run()).rejects.toThrow(/202601020000-second-thing failed.*rows/)
    expect([await exists('first_thing'), await exists('second_thing')]).toEqual([true, false])
    write(SECOND, { up: 'create table second_thing (a int)' })
    expect(await run()).toEqual([SECOND])
  })

  it.each([
    ['no row', 'select true as ok where false'],
    ['null', 'select null::bool as ok'],
    ['another name', 'select true as fine'],
    ['an error', 'select 1/0 as ok'],
  ])('refuses a check that answers %s', async (_, check) => {
    write(FIRST, { up: 'create table first_thing (a int)', check })
    await expect(run()).rejects.toThrow(MigrationError)
    expect(await exists('first_thing')).toBe(false)
  })

  it('refuses an edited migration and a database from a newer version; line ends do not matter', async () => {
    write(FIRST, { up: 'create table first_thing (a int);\n' })
    write(SECOND, { up: 'create table second_thing (a int)' })
    await run()
    write(FIRST, { up: 'create table first_thing (a int);\r\n' })
    expect(await run()).toEqual([])
    write(FIRST, { up: 'create table first_thing (a bigint)' })
    await expect(run()).rejects.toThrow('was edited')
    rmSync(join(folder, FIRST), { recursive: true })
    await expect(run()).rejects.toThrow('newer')
  })

  it('takes an applied migration whose checksum stands in former.txt', async () => {
    write(FIRST, { up: 'create table first_thing (a int)' })
    const [before] = readMigrations(folder)
    await run()
    write(FIRST, { up: 'create table first_thing (a integer)' })
    writeFileSync(join(folder, FIRST, 'former.txt'), `${before?.checksum}\n`)
    expect(await run()).toEqual([])
    writeFileSync(join(folder, FIRST, 'former.txt'), `${'0'.repeat(64)}\n`)
    await expect(run()).rejects.toThrow('was edited')
  })

  it('refuses a folder that is no migration', () => {
    mkdirSync(join(folder, 'notes'))
    writeFileSync(join(folder, 'README.md'), 'for people')
    expect(() => readMigrations(folder)).toThrow("is not a migration's name")
    rmSync(join(folder, 'notes'), { recursive: true })
    mkdirSync(join(folder, FIRST))
    expect(() => readMigrations(folder)).toThrow('has no up.sql')
  })

  it('every migration of the product can be read, and the baseline is the first', () => {
    expect(readMigrations(MIGRATIONS_FOLDER)[0]).toMatchObject({ name: 'baseline' })
  })
})
