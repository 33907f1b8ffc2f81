import { expect, it } from 'vitest'
import { riderImportDays } from '@saddle/contract/finance/riderImports.ts'
import { dayMs } from '@saddle/contract/time.ts'
import { sessionCall } from '#test/kit.ts'
import { createAudit } from '#audit/public.ts'
import { createRiders } from '#test/riderDirectory.ts'
import { proveMoney } from './checks/money.ts'
import { verdictLine, verifyLedger } from './ledger/verify.ts'
import { splitsThatDisagree } from './splits/verify.ts'
import { expireImports } from './riderImports/expire.ts'
import { moneyWorld } from './wallet/money.fixture.ts'

const { db, owner, kit, finance, agentId, clerk, outsider, newRider } = await moneyWorld()
const { handlers, ledger } = finance
const second = sessionCall({ operatorId: 9, agentId, grant: { agentIds: [3], areaIds: [31] }, name: '吴越' })

const fileOf = (...lines: readonly string[]) => ({
  agentId,
  name: 'riders.csv',
  base64: Buffer.from(['手机号,姓名,余额（元）', ...lines].join('\n')).toString('base64'),
})
const check = async (...lines: readonly string[]) => (await handlers.checkRiderSheet(fileOf(...lines), clerk)).data
const faultsOf = async (id: number) => (await handlers.riderImportFaults({ id }, clerk)).data.list
const riderOf = async (phone: string) => (await createRiders(kit).idsByPhone(clerk.scope, phone))[0]
const balanceOf = (riderId: number) =>
  ledger.balanceOf({ agentId, account: { kind: 'rider_balance', ownerId: riderId } })
const isSound = async () => {
  expect(verdictLine(await verifyLedger(db))).toMatch(/sound$/)
  expect((await proveMoney(db)).faults).toEqual([])
  expect(await splitsThatDisagree(db)).toEqual([])
}

it('names every reason for which a line cannot be taken, and keeps no phone number of it', async () => {
  const closed = await newRider()
  await owner.updateTable('rider').set({ closed_at: new Date() }).where('id', '=', closed.riderId).execute()
  const batch = await check(
    '13900000001,甲,12.50',
    '1390000000,乙,1',
    `13900000002,${'长'.repeat(31)},-1`,
    '13900000003,丙,10000.01',
    '+86 139 0000 0004,丁,"1,000"',
    '13900000005,戊,1',
    '13900000005,戊,1',
    `${closed.phone},己,1`,
  )
  expect(batch).toMatchObject({ total: 8, bad: 6, cents: 101_250 })
  expect((await faultsOf(batch.id)).map(({ line, problems }) => `${line} ${problems.join(' ')}`)).toEqual([
    '3 phone_format',
    '4 name_long balance_format',
    '5 balance_high',
    '7 phone_double',
    '8 phone_double',
    '9 rider_closed',
  ])
  const row = await owner.selectFrom('rider_import').selectAll().where('id', '=', batch.id).executeTakeFirstOrThrow()
  expect(JSON.stringify(row)).not.toMatch(/1390000/)
  expect(row.added).toBe(2)
  expect(row.refused_cents, 'balances of lines that are left out, where they can be read').toBe(1_000_401)
  await expect(handlers.riderImportFaults({ id: batch.id }, outsider)).rejects.toMatchObject({ code: 'not_found' })
  await expect(handlers.discardRiderImport({ id: batch.id }, outsider)).rejects.toMatchObject({ code: 'not_found' })
  await expect(handlers.checkRiderSheet(fileOf('13900000001,甲,1'), outsider)).rejects.toMatchObject({
    code: 'foreign_scope',
  })
  await handlers.discardRiderImport({ id: batch.id }, clerk)
  await expect(handlers.commitRiderImport({ id: batch.id }, second)).rejects.toMatchObject({ code: 'import_over' })
  expect(await riderOf('13900000001')).toBeUndefined()
})

it('takes riders and balances once, by a second person, and leaves sound books', async () => {
  const known = await newRider()
  await known.recharge(300)
  const lines = ['13900000011,甲,12.5', '13900000012,,', `${known.phone},乙,7`]
  const batch = await check(...lines)
  expect(batch).toMatchObject({ total: 3, bad: 0, cents: 1_950 })
  await expect(check(...lines)).rejects.toMatchObject({ code: 'rider_import_known' })
  await expect(handlers.commitRiderImport({ id: batch.id }, clerk)).rejects.toMatchObject({
    code: 'second_person_same',
  })
  const facts = () => owner.selectFrom('fact').select('id').where('kind', '=', 'rider_new').execute()
  const before = (await facts()).length
  const both = await Promise.allSettled([
    handlers.commitRiderImport({ id: batch.id }, second),
    handlers.commitRiderImport({ id: batch.id }, second),
  ])
  expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(both.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'import_over' } })
  const { data } = await handlers.listRiderImports({ filter: { id: batch.id }, sort: 'created', pageSize: 20 }, clerk)
  expect(data.list).toMatchObject([
    {
      state: 'committed',
      added: 2,
      cents: 1_950,
      refusedCents: 0,
      booked: 2,
      bookedCents: 1_950,
      endedBy: '吴越',
      isOwn: true,
    },
  ])
  expect(await facts(), 'they are no new customers').toHaveLength(before)
  const newcomer = (await riderOf('13900000011')) ?? 0
  expect(await balanceOf(newcomer)).toBe(1_250)
  expect(await balanceOf(known.riderId)).toBe(1_000)
  expect(await balanceOf((await riderOf('13900000012')) ?? 0)).toBe(0)
  expect(await ledger.balanceOf({ agentId, account: { kind: 'agent_receivable' } })).toBe(-1_950)
  const { list } = await known.wallet()
  expect(list[0]).toMatchObject({ kind: 'opening_balance', cents: 700, memo: 'riders.csv' })
  const row = await owner.selectFrom('rider_import').selectAll().where('id', '=', batch.id).executeTakeFirstOrThrow()
  expect(row.rows_sealed).toBeNull()

  // Another file that names one of them again.
  const again = await check('13900000011,甲,12.5', '13900000013,丙,1')
  expect(again).toMatchObject({ bad: 1, cents: 100 })
  expect(await faultsOf(again.id)).toEqual([{ line: 2, problems: ['opened_before'] }])
  // Two files that name the same rider before either is committed.
  const other = await check('13900000013,丙,2')
  await handlers.commitRiderImport({ id: other.id }, second)
  await expect(handlers.commitRiderImport({ id: again.id }, second)).rejects.toMatchObject({
    code: 'rider_import_changed',
  })
  expect(await balanceOf((await riderOf('13900000013')) ?? 0)).toBe(200)
  await handlers.discardRiderImport({ id: again.id }, clerk)
  await isSound()
  await owner.updateTable('rider_import').set({ cents: 1_951 }).where('id', '=', batch.id).execute()
  expect((await proveMoney(db)).faults.join()).toMatch(/^opening balances of agent 3: its imports brought 21.51/)
})

it('lets the uploader commit riders who bring nothing, and takes many in several statements', async () => {
  const empty = await check('13900000021,甲,0')
  expect((await handlers.commitRiderImport({ id: empty.id }, clerk)).data).toMatchObject({
    riders: 1,
    added: 1,
    cents: 0,
  })
  const many = await check(...Array.from({ length: 1_203 }, (_, n) => `1360000${String(n).padStart(4, '0')},,0.01`))
  expect((await handlers.commitRiderImport({ id: many.id }, second)).data).toMatchObject({
    riders: 1_203,
    cents: 1_203,
  })
  expect(await balanceOf((await riderOf('13600001202')) ?? 0)).toBe(1)
  expect((await proveMoney(db)).faults.filter((fault) => !fault.startsWith('opening balances of agent 3'))).toEqual([])
})

it('refuses files without the columns, without rows, and a batch of faults alone', async () => {
  const send = (text: string) =>
    handlers.checkRiderSheet({ agentId, name: 'x.csv', base64: Buffer.from(text).toString('base64') }, clerk)
  await expect(send('手机号,姓名\n13900000031,甲')).rejects.toMatchObject({ code: 'sheet_columns' })
  await expect(send('手机号,余额')).rejects.toMatchObject({ code: 'sheet_rows' })
  const { id } = (await send('phone,balance\n1,1')).data
  await expect(handlers.commitRiderImport({ id }, second)).rejects.toMatchObject({ code: 'import_bad_rows' })
  const { data } = await handlers.riderImportTemplate({}, clerk)
  expect((await handlers.checkRiderSheet({ agentId, ...data }, clerk)).data).toMatchObject({
    total: 1,
    bad: 0,
    cents: 1_250,
  })
})

it('deletes what lies in a batch that nobody decides on, and takes the file again', async () => {
  const expire = () => expireImports({ kit, audit: createAudit(kit) })
  // Those of the tests before go first.
  kit.clock.advance(riderImportDays * dayMs)
  await expire()
  const lines = ['13900000091,甲,3', '13900000092,乙,x']
  const { id } = await check(...lines)
  kit.clock.advance(riderImportDays * dayMs - 1)
  expect(await expire()).toBe(0)
  kit.clock.advance(1)
  expect(await expire()).toBe(1)
  expect(await expire()).toBe(0)
  const row = await owner.selectFrom('rider_import').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  expect(row).toMatchObject({ state: 'expired', rows_sealed: null, ended_by: null, total: 2, bad: 1, cents: 300 })
  await expect(handlers.commitRiderImport({ id }, second)).rejects.toMatchObject({ code: 'import_over' })
  const records = await owner
    .selectFrom('audit_record')
    .select(['operator_id', 'agent_id'])
    .where('action', '=', 'rider_import.expire')
    .where('subject_id', '=', String(id) as never)
    .execute()
  expect(records).toEqual([{ operator_id: null, agent_id: agentId }])
  expect((await check(...lines)).id).toBeGreaterThan(id)
})
