import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { Client } from 'pg'
import { gunzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { createLedger } from '#finance/ledger/ledger.ts'
import { loadDatabase } from '#kit/backup/load.ts'
import { readManifest, tableFile } from '#kit/backup/manifest.ts'
import { backupKey, openWith, sealWith } from '#kit/backup/seal.ts'
import { createManualClock } from '#kit/clock.ts'
import { derivedLogins, prepareLogins } from '#kit/db/logins.ts'
import { migrate } from '#kit/db/migrate.ts'
import { openDatabase } from '#kit/db/pool.ts'
import { silentLog } from '#kit/log.ts'
import { startEmbedded } from '#kit/postgres/embedded.ts'
import { assertSecret } from '#kit/start/secretCheck.ts'
import { testDatabase } from '#test/database.ts'

const secret = 'the master secret of the backup tests'
const at = Date.UTC(2026, 10, 20, 9)
const { db, owner, url } = await testDatabase()
const root = mkdtempSync(join(tmpdir(), 'saddle-backup-'))
// The account that PostgreSQL runs under must be able to enter it.
chmodSync(root, 0o755)
afterAll(() => rmSync(root, { recursive: true, force: true }))

const sourceDir = join(root, 'source')
const backup = join(root, 'backup')
const script = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

async function run(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, ...args], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], SADDLE_SECRET: secret, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString('utf8')))
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString('utf8')))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, out, err }
}

const restore = (dataDir: string, env: Readonly<Record<string, string>> = {}, folder = backup) =>
  run(script('restoreCli.ts'), [folder], { DATA_DIR: dataDir, ...env })

/** A digest of every row of every table, and of the positions of the sequences. */
async function contentOf(address: string): Promise<Record<string, string>> {
  const client = new Client({ connectionString: address })
  await client.connect()
  try {
    const content: Record<string, string> = {}
    for (const { schema, name } of readManifest(backup).tables) {
      const table = `"${schema}"."${name}"`
      const { rows } = await client.query<{ digest: string }>(
        `select count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as digest from ${table} t`,
      )
      content[table] = rows[0]!.digest
    }
    const { rows } = await client.query<{ name: string; value: string }>(
      `select schemaname || '.' || sequencename as name, last_value::text as value from pg_sequences`,
    )
    for (const { name, value } of rows) content[name] = value
    return content
  } finally {
    await client.end()
  }
}

async function seed(): Promise<void> {
  await owner
    .insertInto('agent')
    .values([
      { id: 1, parent_id: null, company: '总公司' },
      { id: 2, parent_id: 1, company: "城北 | 出行\n\\N\t'" },
    ])
    .execute()
  const ledger = createLedger({ db, clock: createManualClock(at), log: silentLog })
  const lines = [
    { account: { kind: 'clearing_sandbox' }, amountCents: -1_000 },
    { account: { kind: 'rider_balance', ownerId: 7 }, amountCents: 1_000 },
  ] as const
  await ledger.postMany([1, 2, 3].map((n) => ({ agentId: 2, kind: 'recharge', reference: `recharge:${n}`, lines })))
  await sql`insert into audit_record (agent_id, at, action, subject_kind, subject_id)
    select 2, now(), 'test', 'vehicle', n::text from generate_series(1, 20) n`.execute(owner)
  // A table of a day that no migration makes.
  await sql`select ensure_device_report_days('2020-02-01', '2020-02-02')`.execute(owner)
  await assertSecret({ db, secret, previousSecret: undefined, source: '', isNew: false, now: at })
  mkdirSync(join(sourceDir, 'audit-anchors'), { recursive: true })
  writeFileSync(join(sourceDir, 'audit-anchors', '2026-11.jsonl'), '')
}

await seed()

describe('a backup', () => {
  it('is made beside a running platform, says what is not in it, and is closed to others', async () => {
    const made = await run(script('backupCli.ts'), [backup], { DATA_DIR: sourceDir, DATABASE_URL: url })
    expect(made).toMatchObject({ code: 0, err: '' })
    expect(made.out).toMatch(
      /^backup: \d+ tables, \d+ rows, [\d.]+ MB in .*\nbackup: the master secret is not in it; keep SADDLE_SECRET in another place/,
    )
    expect(readdirSync(backup).toSorted()).toEqual(['audit-anchors', 'manifest.json', 'tables'])
    expect(statSync(backup).mode & 0o077).toBe(0)
    expect(JSON.stringify(readManifest(backup))).not.toContain(secret)
    // Nobody reads it without the master secret.
    expect(() => gunzipSync(readFileSync(tableFile(backup, { schema: 'public', name: 'agent' })))).toThrow()
    const foreign = await run(script('backupCli.ts'), [join(root, 'foreign')], {
      DATA_DIR: sourceDir,
      DATABASE_URL: url,
      SADDLE_SECRET: 'x'.repeat(40),
    })
    expect(foreign).toMatchObject({ code: 1, err: expect.stringContaining('is not the one of this database') })
    const again = await run(script('backupCli.ts'), [backup], { DATA_DIR: sourceDir, DATABASE_URL: url })
    expect(again).toEqual({
      code: 1,
      out: '',
      err: `${backup} is not empty: a backup goes into a folder of its own.\n`,
    })
  })

  it('fills an empty data folder with the same rows, proves them, and the platform starts on it', async () => {
    const dataDir = join(root, 'restored')
    mkdirSync(dataDir)
    const restored = await restore(dataDir)
    expect(restored).toMatchObject({ code: 0, err: '' })
    expect(restored.out).toMatch(/ledger: 3 entries, 6 postings, sound\n/)
    expect(restored.out).toMatch(/audit: \d+ chains, 20 records, sound\n/)
    const before = await contentOf(url)
    const embedded = await startEmbedded({ dataDir, log: silentLog })
    expect(await contentOf(embedded.url)).toEqual(before)
    await embedded.stop()
    expect(readdirSync(join(dataDir, 'audit-anchors'))).toEqual(['2026-11.jsonl'])

    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script('../../main.ts')], {
      env: {
        PATH: process.env['PATH'],
        HOST: '127.0.0.1',
        DATA_DIR: dataDir,
        SADDLE_SECRET: secret,
        LOG_LEVEL: 'error',
        PORT: '0',
        OMNI_PORT: '0',
        JT808_PORT: '0',
        MQTT_PORT: '0',
      },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const [message] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [unknown]
    expect(message).toMatchObject({ type: 'listening' })
    child.kill('SIGTERM')
    await once(child, 'exit')
  }, 120_000)

  it('is proved by a restore that leaves nothing behind', async () => {
    const temporary = join(root, 'temporary')
    mkdirSync(temporary, { mode: 0o755 })
    // As a process of a cluster has them.
    const cluster = { DATABASE_READ_URL: url, CLUSTER: 'true', SERVICES: 'worker' }
    const env = { DATA_DIR: sourceDir, DATABASE_URL: url, TMPDIR: temporary, ...cluster }
    const proved = await run(script('verifyBackupCli.ts'), [backup], env)
    expect(proved).toMatchObject({ code: 0, err: '' })
    expect(proved.out).toMatch(/finance: 0 days, 0 cents, 0 differences\n/)
    expect(proved.out).toMatch(/report: \d+ cells, 0 differ\nbackup: restored, sound\n$/)
    expect(await run(script('verifyBackupCli.ts'), [sourceDir], env)).toMatchObject({
      code: 1,
      err: expect.stringContaining('is no whole backup'),
    })
    expect(readdirSync(temporary)).toEqual([])
  }, 120_000)

  it('leaves an owner who can run the platform and is no superuser any more', async () => {
    const embedded = await startEmbedded({ dataDir: join(root, 'elsewhere'), log: silentLog })
    const client = new Client({ connectionString: embedded.url })
    await client.connect()
    try {
      await client.query(`create role owner_of_it login superuser password 'of the test'`)
      await client.query('create database restored owner owner_of_it')
      const address = new URL(embedded.url)
      Object.assign(address, { username: 'owner_of_it', password: 'of the test', pathname: '/restored' })
      const manifest = readManifest(backup)
      await loadDatabase({ url: address.href, folder: backup, manifest, secret, log: silentLog })
      await client.query('alter role owner_of_it nosuperuser createrole bypassrls')
      await migrate({ url: address.href, log: silentLog })
      expect(await prepareLogins({ url: address.href, log: silentLog })).not.toBeNull()
      const opened = openDatabase({ url: address.href, logins: derivedLogins(address.href), log: silentLog })
      expect(await opened.systemRead((k) => k.selectFrom('agent').select('id').compile())).toHaveLength(2)
      await opened.close()
    } finally {
      await client.end()
      await embedded.stop()
    }
  }, 120_000)

  it('is not restored over anything, without its secret or with another, nor when it is damaged or cut off', async () => {
    const used = join(root, 'used')
    mkdirSync(join(used, 'postgres'), { recursive: true })
    expect(await restore(used)).toMatchObject({ code: 1, err: expect.stringContaining('is not empty (postgres)') })
    expect(await restore(join(root, 'one'), { DATABASE_URL: url })).toMatchObject({
      code: 1,
      err: 'The database is not empty: a restore fills an empty one only.\n',
    })
    expect(await restore(join(root, 'two'), { SADDLE_SECRET: '' })).toMatchObject({
      code: 1,
      err: expect.stringContaining('The master secret is missing'),
    })
    expect(await restore(join(root, 'three'), { SADDLE_SECRET: 'x'.repeat(40) })).toMatchObject({
      code: 1,
      err: 'The master secret (SADDLE_SECRET) is not the one of this backup.\n',
    })
    expect(await restore(join(root, 'four'), {}, sourceDir)).toMatchObject({
      code: 1,
      err: `${sourceDir} is no whole backup: it has no manifest.json, which is written last.\n`,
    })
    appendFileSync(tableFile(backup, { schema: 'public', name: 'agent' }), 'x')
    expect(await restore(join(root, 'five'))).toMatchObject({
      code: 1,
      err: expect.stringContaining('public.agent.copy.gz is damaged'),
    })
    expect(readdirSync(root).filter((name) => /^(?:two|three|four|five)$/.test(name))).toEqual([])
  }, 120_000)
})

describe('a sealed file', () => {
  const key = backupKey(secret, 'AAAAAAAAAAAAAAAAAAAAAA')
  const bytes = Buffer.from('row '.repeat(5_000))
  async function* inPieces(of: Buffer, size: number): AsyncGenerator<Buffer> {
    for (let from = 0; from < of.length; from += size) yield await Promise.resolve(of.subarray(from, from + size))
  }
  const whole = async (pieces: AsyncIterable<Buffer>): Promise<Buffer> => {
    const all: Buffer[] = []
    for await (const piece of pieces) all.push(piece)
    return Buffer.concat(all)
  }

  it('opens in pieces of any size, and not when it was changed, cut off or sealed by another key', async () => {
    const sealed = await whole(sealWith(key)(inPieces(bytes, 997)))
    for (const size of [1, 15, 16, 17, 4_096, sealed.length])
      expect((await whole(openWith(key)(inPieces(sealed, size)))).equals(bytes)).toBe(true)
    const changed = Buffer.from(sealed)
    changed[500] = (changed[500] ?? 0) ^ 1
    const other = backupKey(secret, 'BBBBBBBBBBBBBBBBBBBBBB')
    for (const [file, by] of [
      [changed, key],
      [sealed.subarray(0, -1), key],
      [sealed.subarray(0, 20), key],
      [sealed, other],
    ] as const)
      await expect(whole(openWith(by)(inPieces(file, 1_000)))).rejects.toThrow(/backup/)
  })
})
