import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { portSettings } from '@saddle/contract/fleet/protocols.ts'
import { loadDatabase } from '#kit/backup/load.ts'
import { readManifest } from '#kit/backup/manifest.ts'
import { readMigrations } from '#kit/db/migrate.ts'
import { silentLog } from '#kit/log.ts'
import { ownedDatabase } from '#test/ownedDatabase.ts'
import { testCluster } from '#test/testCluster.ts'

/**
 * Folders of this one: a backup of the demo with 40 vehicles and two days of rides, in the schema of a version that is in
 * use somewhere: the baseline alone, and the steps up to the end of November 2026.
 */
const here = fileURLToPath(new URL('.', import.meta.url))
const versions = readdirSync(here, { withFileTypes: true }).filter((entry) => entry.isDirectory())
/** The backups were made with this one; the first is of a version that did not check it. */
const secret = 'the master secret of the fixture of an upgrade'
const source = (path: string): string => join(here, '..', '..', 'src', path)
/** What nobody may lose. The jobs of the server that runs for a moment may add to it: rules make tasks, for one. */
const kept = new Set([
  'ride_order',
  'order_line',
  'ledger_entry',
  'payment',
  'vehicle',
  'device',
  'rider',
  'photo',
  'task',
  'trip',
  'coupon',
  'withdrawal',
  'split_line',
  'service_bill',
  'invoice',
])
/** What never changes once it is written. */
const unchanged = ['ledger_entry', 'order_line', 'payment', 'trip']
const proofs = {
  'app/ledgerVerifyCli.ts': /sound\n$/,
  'riding/reconcile/reconcileCli.ts': /reconciled/,
  'audit/chain/verifyCli.ts': /sound\n$/,
  'finance/channelBills/reconcileCli.ts': / 0 differences\n$/,
}

const { url: clusterUrl } = await testCluster()

describe.each(versions.map(({ name }) => name))('the data of %s', async (version) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'saddle-upgrade-'))
  const database = await ownedDatabase({ clusterUrl })
  afterAll(async () => {
    await database.drop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  it('start under the present version, with every row, sound and reconciled', async () => {
    const folder = join(here, version)
    const manifest = readManifest(folder)
    await loadDatabase({ url: database.url, folder, manifest, secret, log: silentLog })
    for (const name of unchanged) {
      const { columns } = manifest.tables.find((table) => table.name === name)!
      await database.query(`create table before_${name} as select ${columns.join()} from ${name}`)
    }
    cpSync(join(folder, 'audit-anchors'), join(dataDir, 'audit-anchors'), { recursive: true })
    const env = {
      ...process.env,
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      SADDLE_SECRET: secret,
      NODE_ENV: 'production',
    }

    const ports = { PORT: '0', ...portSettings(() => 0), HOST: '127.0.0.1', LOG_LEVEL: 'silent' }
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', source('main.ts')], {
      env: { ...env, ...ports },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const [message] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [unknown]
    expect(message).toMatchObject({ type: 'listening' })
    child.kill('SIGTERM')
    await once(child, 'exit')

    const rows = await database.query('select name from migration order by applied_at, name')
    const applied = rows.map(({ name }) => name)
    expect(applied).toEqual(readMigrations().map(({ name }) => name))
    expect(applied.slice(0, manifest.migrations.length)).toEqual(manifest.migrations.map(({ name }) => name))
    for (const { name, rows: before } of manifest.tables.filter((table) => kept.has(table.name))) {
      const [row] = await database.query(`select count(*)::integer as rows from ${name}`)
      expect(row!.rows, name).toBeGreaterThanOrEqual(before)
    }
    for (const name of unchanged) {
      const { columns } = manifest.tables.find((table) => table.name === name)!
      const changed = `select * from before_${name} except all select ${columns.join()} from ${name}`
      expect(await database.query(`${changed} limit 3`), name).toEqual([])
    }
    for (const [proof, verdict] of Object.entries(proofs)) {
      const args = ['--disable-warning=ExperimentalWarning', source(proof)]
      const { status, stdout } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
      expect(stdout).toMatch(verdict)
      expect(status).toBe(0)
    }
  })
})
