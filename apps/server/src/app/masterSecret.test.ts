import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { endpoints } from '@saddle/contract/endpoints.ts'
import { rideEndpoints } from '@saddle/contract/riding/rides.ts'
import { riderSelfEndpoints } from '@saddle/contract/rider/self.ts'
import { saveAccount } from '#finance/account/store.ts'
import { createFleet } from '#fleet/public.ts'
import { createAudit } from '#audit/public.ts'
import { createIdentitySecrets } from '#identity/secrets.ts'
import { createKeyring } from '#kit/crypto.ts'
import { countLeft, dropKeptKeys, keptKeys, loadKeptKeys, rekey } from '#kit/db/rekey.ts'
import { scopeOfAgent } from '#kit/db/scope.ts'
import { silentLog } from '#kit/log.ts'
import { forgetPreviousSecret, loadMasterSecret, loadPreviousSecret, rotateMasterSecret } from '#kit/secret.ts'
import { submitApplication } from '#organisation/applications/submit.ts'
import { createPhotos } from '#photos/public.ts'
import { createDeviceSecrets } from '#telemetry/gateway/secrets.ts'
import { keptDevicePurposes } from '#telemetry/public.ts'
import { addExport } from '#test/exports.ts'
import { addNotices } from '#test/notices.ts'
import { samples } from '#photos/codec/samples.fixture.ts'
import { testPlatform, testSecret } from '#test/platform.ts'
import { seedTenants, type TenantFixture } from '#test/tenants.ts'
import { keyedValues } from './keyed.ts'
import { prepareSecrets } from './masterSecret.ts'

const newSecret = 'the secret that comes after that one'
const riderPhone = '13812345678'
const deviceId = 'telephone 0001'
const recoveryCode = 'ABCDE-23456'

const tenants: TenantFixture[] = []
const before = await testPlatform({
  env: { SERVICES: 'api', DEMO: 'true' },
  seed: async (kit) => {
    tenants.push(...(await seedTenants(kit)))
  },
})
const { owner, url } = before
const [alpha] = tenants as [TenantFixture]
const old = before.kit.secrets
const key = await before.db.system((tx) =>
  before.platform.domains.riding.addApp(tx, { agentId: alpha.agentId, name: 'an app' }),
)

type App = { readonly address: string }
async function ask(app: App, endpoint: { method: string; path: string }, input: object) {
  const isGet = endpoint.method === 'GET'
  const query = isGet ? `?${new URLSearchParams(input as Record<string, string>).toString()}` : ''
  const response = await fetch(`${app.address}${endpoint.path}${query}`, {
    method: endpoint.method,
    headers: { 'x-api-key': key, ...(isGet ? {} : { 'content-type': 'application/json' }) },
    ...(isGet ? {} : { body: JSON.stringify(input) }),
  })
  return { status: response.status, body: (await response.json()) as { data: Record<string, unknown> } }
}
const device = { id: deviceId, model: 'model', system: 'system', appVersion: '1.0' }
const openApp = (app: App) => ask(app, riderSelfEndpoints.openApp, { phone: riderPhone, device })

/** One row in each table that holds something under the master secret. */
async function fill() {
  await openApp(before)
  await submitApplication(before.kit, {
    company: 'a company',
    city: 'a city',
    contact: 'a contact',
    phone: '13700000009',
    plannedVehicles: 10,
    remark: '',
  })
  await before.db.system((tx) =>
    saveAccount({
      tx,
      secrets: old,
      account: {
        agentId: alpha.agentId,
        accountLevel: 1,
        authStatus: 1,
        status: 1,
        accountType: 'company',
        customerName: 'a customer',
        name: 'a name',
      },
    }),
  )
  const photoId = await before.db.system((tx) =>
    createPhotos(before.kit).keep(tx, {
      agentId: alpha.agentId,
      areaId: null,
      purpose: 'certificate',
      file: samples.png,
    }),
  )
  await addExport(owner, old, alpha, new Date())
  await addNotices(owner, old, alpha, new Date())
  const identity = createIdentitySecrets(old)
  const sealedTotp = identity.sealTotp(alpha.managerId, 'JBSWY3DPEHPK3PXP')
  const totp = { operator_id: alpha.managerId, secret_sealed: sealedTotp, begun_at: new Date() }
  await owner.insertInto('operator_totp').values(totp).execute()
  const [codeHash] = identity.recoveryHashes(alpha.managerId, recoveryCode)
  await owner
    .insertInto('operator_recovery_code')
    .values({ operator_id: alpha.managerId, code_hash: codeHash })
    .execute()
  const client = await before.login(alpha.worker)
  return { photoId, handle: client.session?.data.accessToken ?? '', keys: client.session?.keys }
}
const filled = await fill()
const wallet = await ask(before, rideEndpoints.ownRides, { phone: riderPhone })
const counted = async (): Promise<number> =>
  Number(
    (
      await owner
        .selectFrom('rider')
        .select((e) => e.fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  )
const ridersBefore = await counted()
const marks = createDeviceSecrets(old).terminalMarks(['maker', 'model', 'id', 'plate'])
const imei = { imei: alpha.imei, secretGeneration: 0 }

const dataDir = mkdtempSync(join(tmpdir(), 'saddle-rotation-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
const both = createKeyring({ secret: newSecret, previousSecret: testSecret })
const alone = createKeyring({ secret: newSecret })
const leftUnder = async (secrets = alone) =>
  (await countLeft({ url, secrets, values: keyedValues })).filter(({ rows }) => rows > 0)
const filledTables = (await leftUnder()).map(({ table }) => table)

/** A rotation that is interrupted in each table, one after the other. */
async function cutOff(): Promise<number> {
  let cuts = 0
  // A run without a break would finish the tables behind it.
  for (const table of keyedValues.tables.filter(({ isLater }) => isLater !== true)) {
    const broken = {
      ...table,
      rekey: () => {
        throw new Error('killed')
      },
    }
    const values = { ...keyedValues, tables: keyedValues.tables.map((one) => (one === table ? broken : one)) }
    const run = rekey({ url, secrets: both, values, log: silentLog, isLater: false })
    await run.catch(() => (cuts += 1))
  }
  return cuts
}
const cuts = await cutOff()
const { secrets, finish } = await prepareSecrets({
  secret: newSecret,
  previousSecret: testSecret,
  url,
  log: silentLog,
})
const after = await testPlatform({ env: { SERVICES: 'api', DEMO: 'true' }, database: before, secrets })

describe('values under the master secret', () => {
  /** Columns that look as if, with what they are. */
  const others: Readonly<Record<string, string>> = {
    'agent.api_key_hash': 'SHA-256 of random bits',
    'audit_anchor.hash': 'chain of the audit trail',
    'audit_record.hash': 'chain of the audit trail',
    'audit_record.prev_hash': 'chain of the audit trail',
    'channel_bill.hash': 'SHA-256 of a file',
    'idempotency.input_hash': 'SHA-256',
    'ledger_account.hash': 'chain of the ledger',
    'ledger_book.account_hash': 'chain of the ledger',
    'ledger_book.entry_hash': 'chain of the ledger',
    'ledger_entry.hash': 'chain of the ledger',
    'ledger_entry.input_hash': 'chain of the ledger',
    'login_ticket.pre_hash': 'SHA-256 of random bits',
    'money_action.input_hash': 'SHA-256',
    'operator_device.device_hash': 'SHA-256 of random bits',
    'quick_login_used.nonce_hash': 'SHA-256 of random bits',
    'rider.balance_mark': 'a number of the ledger',
    'rider_app.key_hash': 'SHA-256 of random bits',
    'partner_key.key_hash': 'SHA-256 of random bits',
    'mds_client.secret_hash': 'SHA-256 of random bits',
    'partner_key.previous_hash': 'SHA-256 of random bits',
    'session.csrf_hash': 'SHA-256 of random bits',
    'session.sid_hash': 'SHA-256 of random bits',
    // Under the secret, and gone in minutes or a day: a code is asked for again.
    'sms_code.code_hash': 'short-lived',
    'screen_pairing.address_hash': 'short-lived',
    'screen_pairing.code_hash': 'short-lived',
    'screen_pairing.collect_hash': 'SHA-256 of random bits',
    'secret_check.digest': 'noted anew at the start',
    'sms_code.device_hash': 'SHA-256 of random bits',
    'sms_code.phone_hash': 'short-lived',
    'sms_failure.address_hash': 'short-lived',
    'split_bill.hash': 'SHA-256 of its lines',
    'split_statement.hash': 'chain of statements',
    'split_statement.previous_hash': 'chain of statements',
    'sms_guess.device_hash': 'SHA-256 of random bits',
    'sms_guess.phone_hash': 'short-lived',
    'sms_send.address_hash': 'short-lived',
    'sms_send.device_hash': 'SHA-256 of random bits',
    'sms_send.phone_hash': 'short-lived',
    // What they are a hash of is stored nowhere: their keys are kept.
    'device.terminal_mark': 'kept key',
    'operator_recovery_code.code_hash': 'kept key',
    'payment.payer_hash': 'kept key',
    'rider_device.device_hash': 'kept key',
    // Bound to a hash that is not stored: nothing opens it, nor did before.
    'rider_rebind.old_sealed': 'never opened',
  }

  it('are all declared: a column that looks like one and is not does not pass', async () => {
    const { rows } = await sql<{ name: string }>`
      select c.table_name || '.' || c.column_name as name from information_schema.columns c
      join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
        and c.column_name ~ '(^|_)(hash|sealed|mark|secret|hmac|digest)$'`.execute(owner)
    const declared = [keptKeys, ...keyedValues.tables].flatMap(({ table, sealed, hashes }) =>
      [...Object.keys(sealed), ...hashes].map((column) => `${table}.${column}`),
    )
    expect(rows.map(({ name }) => name).toSorted()).toEqual([...declared, ...Object.keys(others)].toSorted())
  })

  it('are nowhere else: no other column holds what is sealed', async () => {
    const { rows: columns } = await sql<{ table: string; column: string }>`
      select c.table_name as "table", c.column_name as "column" from information_schema.columns c
      join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.data_type in ('text', 'jsonb')`.execute(
      owner,
    )
    const found: string[] = []
    for (const { table, column } of columns) {
      const { rows } = await sql`select from ${sql.table(table)}
        where ${sql.ref(column)}::text ~ 'v1[.][A-Za-z0-9_-]{8}[.][A-Za-z0-9_-]{38}' limit 1`.execute(owner)
      if (rows.length > 0) found.push(`${table}.${column}`)
    }
    const declared = new Set(
      [keptKeys, ...keyedValues.tables].flatMap(({ table, sealed }) =>
        Object.keys(sealed).map((column) => `${table}.${column}`),
      ),
    )
    expect(found.filter((name) => !declared.has(name))).toEqual([])
  })
})

describe('a rotation of the master secret', () => {
  it('makes anew what is looked up by a hash before anybody is served, cut off or not', async () => {
    expect(filledTables.toSorted()).toEqual(keyedValues.tables.map(({ table }) => table).toSorted())
    expect(cuts).toBe(keyedValues.tables.filter(({ isLater }) => isLater !== true).length)
    expect((await leftUnder()).map(({ table }) => table).toSorted()).toEqual(['export_job', 'export_part', 'photo'])
  })

  it('makes photos anew while the server runs, and they open all the time', async () => {
    const photos = createPhotos(after.kit)
    const scope = scopeOfAgent(alpha.agentId, alpha.areaIds)
    const read = () => photos.read(scope, { purpose: 'certificate', ids: [filled.photoId] })
    const [earlier] = await read()
    await finish(new AbortController().signal)
    expect(await leftUnder()).toEqual([])
    expect(await read()).toEqual([earlier])
  })

  it('lets people in, with the second factor and the recovery codes that they have', async () => {
    const client = await after.login(alpha.manager)
    expect((await client.call(endpoints.me, {})).body).toMatchObject({ data: { name: `${alpha.marker} manager` } })
    const identity = createIdentitySecrets(secrets)
    const totp = await owner.selectFrom('operator_totp').selectAll().executeTakeFirstOrThrow()
    expect(identity.openTotp(totp.operator_id, totp.secret_sealed)).toBe('JBSWY3DPEHPK3PXP')
    const code = await owner.selectFrom('operator_recovery_code').selectAll().executeTakeFirstOrThrow()
    expect(identity.recoveryHashes(alpha.managerId, recoveryCode)).toContain(code.code_hash)
    const session = await owner
      .selectFrom('session')
      .select('keys_sealed')
      .where('handle', '=', filled.handle)
      .executeTakeFirstOrThrow()
    expect(identity.openKeys(filled.handle, session.keys_sealed ?? '')).toEqual(filled.keys)
  })

  it('finds the rider with rides and telephone again, and makes no second one', async () => {
    expect((await openApp(after)).status).toBe(200)
    expect(await counted()).toBe(ridersBefore)
    expect(await ask(after, rideEndpoints.ownRides, { phone: riderPhone })).toEqual(wallet)
    const devices = await owner
      .selectFrom('rider_device')
      .select('device_hash')
      .where('model', '=', device.model)
      .execute()
    expect(devices).toEqual([{ device_hash: alone.hmac({ purpose: 'rider-device', text: deviceId }) }])
  })

  it('keeps vehicles with what they hold until the grace is ended', async () => {
    const password = createDeviceSecrets(old).deviceSecret(imei)
    const code = createDeviceSecrets(old).authCode(imei)
    const fleet = createFleet(after.kit, { audit: createAudit(after.kit) })
    const vehicleId = alpha.vehicleIds[0]
    await owner.updateTable('device').set({ terminal_mark: marks[0] }).where('vehicle_id', '=', vehicleId).execute()

    // The previous secret is forgotten: what is kept of it is enough.
    const forgotten = async () =>
      createDeviceSecrets(createKeyring({ secret: newSecret, kept: await loadKeptKeys({ url, secrets: alone }) }))
    const graceful = await forgotten()
    expect(graceful.isDeviceSecret(imei, password)).toBe(true)
    expect(graceful.isAuthCode(imei, code)).toBe(true)
    expect(graceful.deviceSecret(imei)).not.toBe(password)
    const said = ['maker', 'model', 'id', 'plate']
    expect(await fleet.vehicles.claimTerminal({ vehicleId, marks: graceful.terminalMarks(said) })).toBe('known')
    expect(await fleet.vehicles.claimTerminal({ vehicleId, marks: graceful.terminalMarks(['another']) })).toBe('taken')

    expect(await dropKeptKeys({ url, purposes: keptDevicePurposes })).toBe(keptDevicePurposes.length)
    const strict = await forgotten()
    expect(strict.isDeviceSecret(imei, password)).toBe(false)
    expect(strict.isAuthCode(imei, code)).toBe(false)
    // The terminal's mark was made anew when it registered within the grace.
    expect(await fleet.vehicles.claimTerminal({ vehicleId, marks: strict.terminalMarks(said) })).toBe('known')
  })

  it('leaves two rows of one phone as they are and says so', async () => {
    const rows = await owner.selectFrom('rider').selectAll().orderBy('id').limit(2).execute()
    const [first] = rows
    const third = createKeyring({ secret: 'a third secret for a second rider', previousSecret: newSecret })
    // As an installation has it that changed its secret before there was a rotation.
    const hash = third.hmac({ purpose: 'rider', text: riderPhone })
    const sealed = third.encryptText({ purpose: 'rider', text: riderPhone, context: hash })
    const agent = { agent_id: first?.agent_id ?? 0, created_at: new Date(), last_active_at: new Date() }
    const { id } = await owner
      .insertInto('rider')
      .values({ ...agent, phone_hash: hash, phone_sealed: sealed })
      .returning('id')
      .executeTakeFirstOrThrow()
    const back = createKeyring({ secret: newSecret, previousSecret: 'a third secret for a second rider' })
    const reports = await rekey({ url, secrets: back, values: keyedValues, log: silentLog, isLater: false })
    expect(reports.find(({ table }) => table === 'rider')).toMatchObject({ done: 0, taken: 1, unreadable: 0 })
    await owner.deleteFrom('rider').where('id', '=', id).execute()
  })

  it('does not start on a database of another secret', async () => {
    const secret = 'a secret that has nothing to do with it'
    await expect(prepareSecrets({ secret, previousSecret: undefined, url, log: silentLog })).rejects.toThrow(
      /another master secret/,
    )
  })
})

describe('the secret in the data folder', () => {
  it('is replaced and kept, and gone when it is forgotten', () => {
    const folder = mkdtempSync(join(dataDir, 'files-'))
    const first = loadMasterSecret({ given: undefined, dataDir: folder })
    rotateMasterSecret(folder)
    const second = loadMasterSecret({ given: undefined, dataDir: folder })
    expect(second).not.toBe(first)
    expect(loadPreviousSecret({ given: undefined, dataDir: folder })).toBe(first)
    expect(() => rotateMasterSecret(folder)).toThrow(/still kept/)
    expect(forgetPreviousSecret(folder)).toBe(true)
    expect(loadPreviousSecret({ given: undefined, dataDir: folder })).toBeUndefined()
    expect(forgetPreviousSecret(folder)).toBe(false)
  })

  it('survives a kill between keeping the one and putting in the other', () => {
    const folder = mkdtempSync(join(dataDir, 'files-'))
    const first = loadMasterSecret({ given: undefined, dataDir: folder })
    writeFileSync(join(folder, 'secret.previous'), readFileSync(join(folder, 'secret')))
    rotateMasterSecret(folder)
    expect(loadPreviousSecret({ given: undefined, dataDir: folder })).toBe(first)
  })
})
