import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { verifyChains } from '#audit/chain/verifyCli.ts'
import { verifyLedger } from '#finance/ledger/verify.ts'
import { createKeyring } from '#kit/crypto.ts'
import { createRiders } from '#rider/public.ts'
import { testDatabase } from '#test/database.ts'
import { testKit } from '#test/kit.ts'
import { addRowsOfAllTables } from '#test/isolation/rows.ts'
import { seedTenants, type TenantFixture } from '#test/tenants.ts'
import { exportCompany } from './exportCompany.ts'
import { CompanyError, manifestFile, readManifest, tableFile } from './format.ts'
import { checkExport, importCompany } from './importCompany.ts'

const source = await testDatabase()
const target = await testDatabase()
const kit = testKit(source.db)
const secrets = createKeyring({ secret: 'the secret of the installation that the company goes to' })
const there = { ...testKit(target.db), secrets }
const root = mkdtempSync(join(tmpdir(), 'saddle-company-'))
chmodSync(root, 0o755)
afterAll(() => rmSync(root, { recursive: true, force: true }))
const folder = join(root, 'alpha')
const anchors = join(root, 'anchors')
const lines: string[] = []
const say = (line: string) => lines.push(line)

let alpha: TenantFixture
let bravo: TenantFixture
beforeAll(async () => {
  ;[alpha, bravo] = (await seedTenants(kit)) as [TenantFixture, TenantFixture]
  for (const of of [alpha, bravo]) await addRowsOfAllTables({ owner: source.owner, kit } as never, of)
})

const leave = (into: string) =>
  exportCompany({
    url: source.url,
    rootId: alpha.agentId,
    folder: into,
    secrets: kit.secrets,
    anchors: join(root, 'none'),
    now: new Date(kit.clock.now()),
    say,
  })
const come = (from: string) =>
  importCompany({
    url: target.url,
    folder: from,
    manifest: readManifest(from),
    secrets,
    anchors,
    now: new Date(kit.clock.now()),
    say,
  })

const linesOf = (name: string) =>
  gunzipSync(readFileSync(tableFile(folder, name)))
    .toString()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>)

it('writes every row of the company, open, and none of another', async () => {
  const manifest = await leave(folder)
  expect(manifest.companies[0]?.id).toBe(alpha.agentId)
  expect(manifest.companies.map(({ id }) => id)).not.toContain(bravo.agentId)
  expect(Number(manifest.sums['rides charged, cents'])).toBeGreaterThan(0)
  expect(linesOf('rider').map((row) => row['phone_sealed'])).toContain(alpha.riderPhone)
  for (const { name } of manifest.tables) {
    const text = gunzipSync(readFileSync(tableFile(folder, name))).toString()
    expect([name, text.includes(bravo.marker)]).toEqual([name, false])
  }
  expect(readdirSync(join(folder, 'lists')).toSorted()).toEqual([
    'areas.geojson',
    'balances.csv',
    'fences.geojson',
    'ledger.csv',
    'riders.csv',
    'rides.csv',
    'vehicles.csv',
  ])
  const [head, ...riders] = readFileSync(join(folder, 'lists', 'riders.csv'), 'utf8')
    .trim()
    .split('\n')
  expect(head).toBe('id,agent_id,phone,name,created_at,last_active_at,closed_at,banned,balance_cents')
  expect(riders).toHaveLength(linesOf('rider').length)
  expect(riders.filter((line) => line.split(',')[2] === alpha.riderPhone)).toHaveLength(1)
  const balances = linesOf('ledger_account').filter(({ kind }) => kind === 'rider_balance')
  const cents = linesOf('ledger_balance').filter((row) => balances.some(({ id }) => id === row['account_id']))
  const sum = (values: readonly unknown[]) => values.reduce<number>((total, value) => total + Number(value), 0)
  expect(sum(riders.map((line) => line.split(',').at(-1)))).toBe(sum(cents.map((row) => row['balance_cents'])))
  const areas = JSON.parse(readFileSync(join(folder, 'lists', 'areas.geojson'), 'utf8')) as { features: unknown[] }
  expect(areas.features).toHaveLength(2)
  expect(readdirSync(join(folder, 'photos'))).toHaveLength(manifest.photos)
  expect(manifest.photos).toBeGreaterThan(0)
  await expect(leave(folder)).rejects.toThrow(CompanyError)
  const noted = linesOf('audit_record').filter(({ action }) => action === 'company.export')
  expect(noted).toMatchObject([{ agent_id: alpha.agentId, operator_id: null, subject_kind: 'agent' }])
  expect(lines).toContain('lists/riders.csv')
})

it('refuses an export that is damaged or not whole', async () => {
  const manifest = readManifest(folder)
  const file = tableFile(folder, 'vehicle')
  const good = readFileSync(file)
  writeFileSync(file, good.subarray(0, -1))
  await expect(checkExport(folder, manifest)).rejects.toThrow(/damaged/)
  writeFileSync(file, good)
  await checkExport(folder, manifest)
  expect(() => readManifest(join(root, 'nowhere'))).toThrow(CompanyError)
})

it('takes the company into a fresh installation with equal rows and cents, sealed by the secret there', async () => {
  const report = await come(folder)
  expect(report.dangling).toEqual([])
  expect(report.tables.filter(({ exported, imported }) => exported !== imported)).toEqual([])
  expect(report.sums.filter(({ exported, imported }) => exported !== imported)).toEqual([])
  expect(report.isEqual).toBe(true)
  const phone = await target.db.system(async (tx) => {
    const [id] = await createRiders(there).ensure(tx, [{ agentId: alpha.agentId, phone: alpha.riderPhone, name: 'x' }])
    const { rows } = await sql<{ phone_sealed: string; phone_hash: string }>`
      select phone_sealed, phone_hash from rider where id = ${id}`.execute(tx)
    return secrets.decryptText({ purpose: 'rider', sealed: rows[0]!.phone_sealed, context: rows[0]!.phone_hash })
  })
  expect(phone).toBe(alpha.riderPhone)
  // Found, and not made anew.
  const { rows } = await sql<{ riders: string }>`select count(*)::text as riders from rider`.execute(target.owner)
  expect(rows[0]!.riders).toBe(readManifest(folder).sums['riders'])
})

it('is sound there: ledger and audit log', async () => {
  const [here, was] = [await verifyLedger(target.db), await verifyLedger(source.db)]
  expect(here.faults.length).toBeLessThanOrEqual(was.faults.length)
  expect(here.entries).toBeGreaterThan(0)
  const chainOf = async (of: typeof target): Promise<string | undefined> => {
    const said: string[] = []
    await verifyChains({ db: of.db, folder: anchors, say: (line) => said.push(line) })
    return said.find((line) => line.includes(`(${alpha.agentId})`))
  }
  // Rows of the fixture break the chain on both sides; what is said of it must be the same to the letter.
  expect(await chainOf(target)).toBe(await chainOf(source))
})

it('takes nothing twice, and numbers what comes later behind it', async () => {
  await expect(come(folder)).rejects.toThrow(/already/)
  const { rows } = await sql<{ id: number }>`
    insert into agent (parent_id, company) values (${alpha.agentId}, '新公司') returning id::int`.execute(target.owner)
  expect(rows[0]!.id).toBeGreaterThan(alpha.agentId)
  expect(existsSync(manifestFile(folder))).toBe(true)
})
