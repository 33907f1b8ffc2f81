import { gzipSync } from 'node:zlib'
import { afterAll, expect, it } from 'vitest'
import { importEndpoints } from '@saddle/contract/production/imports.ts'
import { createXlsx } from '#kit/files/xlsx.ts'
import { testDatabase } from '#test/database.ts'
import { sessionCall } from '#test/kit.ts'
import { eventually, northScope, seedField, startField } from '#telemetry/field.fixture.ts'

const { db, owner } = await testDatabase()
await seedField(owner)
const site = await startField(db)
const { handlers } = site.production
const operator = sessionCall({ operatorId: 7, agentId: 3, grant: northScope, name: '周可', permissions: ['0601'] })
const south = { agentIds: [4], areaIds: [41] }
const foreign = sessionCall({ operatorId: 8, agentId: 4, grant: south, name: '陈立', permissions: ['0601'] })
afterAll(() => site.gateway.close())

const titles = ['车辆编号', 'IMEI', 'SN', 'MAC', 'ICCID', '型号']
const good = ['IM000001', '490154203237518', 'SN-0001', 'a4-c1-38-00-00-01', '89860012345678901234', 'P1']

function sheetOf(file: Buffer, changes: Readonly<Record<string, unknown>> = {}) {
  return importEndpoints.uploadCarIdExcel.input.parse({
    areaId: 31,
    protocol: 'omni',
    newModels: ['P1'],
    name: '第一批.csv',
    base64: file.toString('base64'),
    ...changes,
  })
}
const csvOf = (lines: readonly (readonly string[])[]): Buffer =>
  Buffer.from([titles, ...lines].map((line) => line.join(',')).join('\r\n'))
const upload = async (file: Buffer, changes?: Readonly<Record<string, unknown>>) =>
  (await handlers.uploadCarIdExcel(sheetOf(file, changes), operator)).data

async function workbook(lines: readonly (readonly (string | number)[])[]): Promise<Buffer> {
  const pieces: Buffer[] = []
  const writer = createXlsx({
    sheetName: 'sheet',
    columns: titles.map((title) => ({ title, format: 'text' })),
    sink: async (bytes) => void pieces.push(Buffer.from(bytes)),
  })
  await writer.write(lines)
  await writer.end()
  return Buffer.concat(pieces)
}

async function linesOf(importId: number) {
  const question = { filter: { importId }, sort: 'line' as const, pageSize: 50 }
  return (await handlers.listVehicleImportRows(question, operator)).data.list.map(({ line, problems }) => [
    line,
    problems,
  ])
}

it('names every reason for which a line cannot be taken, and takes the others', async () => {
  await site.addVehicle()
  const [taken] = await owner.selectFrom('device').select('imei').execute()
  const batch = await upload(
    csvOf([
      good,
      ['IM000002', '490154203237519', '', '', '', 'P1'],
      ['IM-3', '35209900176148', 'SN-0001', 'zz', '123', 'P9'],
      ['IM000001', taken!.imei, '', '', '', 'P1'],
      [],
    ]),
    { isImeiUnchecked: false },
  )
  expect(batch).toMatchObject({ total: 4, bad: 4 })
  const lines = new Map((await linesOf(batch.id)) as [number, string[]][])
  expect(lines.get(2)).toEqual(['number_double', 'serial_double'])
  expect(lines.get(3)).toEqual(['imei_digit'])
  expect(lines.get(4)).toEqual([
    'number_format',
    'mac_format',
    'iccid_format',
    'imei_format',
    'serial_double',
    'model_unknown',
  ])
  expect(lines.get(5)).toEqual(expect.arrayContaining(['number_double', 'imei_taken']))
  const { data } = await handlers.uploadCarIdAmount({ id: batch.id }, operator)
  expect(data.reasons.find(({ problem }) => problem === 'number_double')).toEqual({ problem: 'number_double', rows: 2 })
  await expect(handlers.commitVehicleImport({ id: batch.id, rows: 'all' }, operator)).rejects.toMatchObject({
    code: 'import_bad_rows',
  })
  await handlers.discardVehicleImport({ id: batch.id }, operator)
  expect(await linesOf(batch.id)).toEqual([])
})

it('commits the good lines of a compressed text, and undoes them until a device has called', async () => {
  const batch = await upload(gzipSync(csvOf([good, ['IM000002', '1', '', '', '', 'P1']])))
  expect(batch).toMatchObject({ total: 2, bad: 1 })
  expect((await handlers.commitVehicleImport({ id: batch.id, rows: 'good' }, operator)).data.made).toBe(1)
  const unit = () =>
    owner
      .selectFrom('vehicle')
      .innerJoin('production_unit', 'production_unit.vehicle_id', 'vehicle.id')
      .select(['vehicle.id', 'vehicle.state', 'serial', 'mac', 'iccid', 'stage', 'import_id'])
      .where('number', '=', 'IM000001')
      .executeTakeFirst()
  expect(await unit()).toMatchObject({
    state: 'removed',
    stage: 'made',
    serial: 'SN-0001',
    mac: 'A4:C1:38:00:00:01',
    iccid: '89860012345678901234',
    import_id: batch.id,
  })
  expect((await handlers.undoVehicleImport({ id: batch.id }, operator)).data.removed).toBe(1)
  expect(await unit()).toBeUndefined()

  const again = await upload(csvOf([good]))
  await handlers.commitVehicleImport({ id: again.id, rows: 'all' }, operator)
  const vehicle = await unit()
  await owner
    .updateTable('vehicle_status')
    .set({ heard_at: new Date(site.kit.clock.now()) })
    .where('vehicle_id', '=', vehicle!.id)
    .execute()
  await expect(handlers.undoVehicleImport({ id: again.id }, operator)).rejects.toMatchObject({ code: 'import_in_use' })
  expect((await handlers.uploadCarIdAmount({ id: again.id }, operator)).data.heard).toBe(1)
  await expect(handlers.commitVehicleImport({ id: again.id, rows: 'all' }, operator)).rejects.toMatchObject({
    code: 'import_over',
  })
})

it('reads workbooks, tells lost digits, and finds what was taken between check and commit', async () => {
  const first = ['IM000011', '490154203237526', '', '', '', 'P1']
  const batch = await upload(await workbook([first, ['IM000012', 8_600_000_000_000_000, '', '', '', 'P1']]), {
    name: '第二批.xlsx',
    isImeiUnchecked: true,
  })
  expect(await linesOf(batch.id)).toEqual([
    [2, []],
    [3, ['digits_lost']],
  ])
  const single = { areaId: 41, number: 'IM000011', imei: '490154203237534', protocol: 'omni', model: 'P1' } as const
  await handlers.uploadCarIdSingle({ ...single, isImeiUnchecked: true }, foreign)
  await expect(handlers.commitVehicleImport({ id: batch.id, rows: 'good' }, operator)).rejects.toMatchObject({
    code: 'import_changed',
  })
  await eventually(async () => expect(await linesOf(batch.id)).toContainEqual([2, ['number_taken']]))
})

it.each([
  ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]), 'sheet_format'],
  ['an archive that is cut', Buffer.from([0x50, 0x4b, 0x03, 0x04, 0, 0, 0, 0]), 'sheet_format'],
  ['a text without columns', Buffer.from('a,b\n1,2\n'), 'sheet_columns'],
  ['a file without vehicles', csvOf([]), 'sheet_rows'],
  ['a text that unfolds without end', gzipSync(Buffer.alloc(140_000_000, 44)), 'sheet_too_large'],
])('refuses %s', async (_, file, code) => {
  await expect(upload(file)).rejects.toMatchObject({ code })
  expect(
    await owner.selectFrom('vehicle_import').select('id').where('total', '=', 1).where('bad', '=', 0).execute(),
  ).toEqual(
    await owner
      .selectFrom('vehicle_import')
      .select('id')
      .where('total', '=', 1)
      .where('state', '=', 'committed')
      .execute(),
  )
})

it('reads what spreadsheets of China write', async () => {
  // 车辆编号,IMEI,型号 and a model in GB 18030.
  const head = Buffer.from([0xb3, 0xb5, 0xc1, 0xbe, 0xb1, 0xe0, 0xba, 0xc5, 0x2c, 0x49, 0x4d, 0x45, 0x49, 0x2c])
  const model = Buffer.from([0xd0, 0xcd, 0xba, 0xc5])
  const batch = await upload(Buffer.concat([head, model, Buffer.from('\nIM000021,490154203237518,P1\n')]))
  expect(batch.total).toBe(1)
})

it('keeps batches and vehicles of others apart', async () => {
  const batch = await upload(csvOf([['IM000031', '352099001761481', '', '', '', 'P1']]))
  await expect(handlers.commitVehicleImport({ id: batch.id, rows: 'all' }, foreign)).rejects.toMatchObject({
    code: 'not_found',
  })
  await expect(handlers.uploadCarIdExcel(sheetOf(csvOf([good])), foreign)).rejects.toMatchObject({
    code: 'foreign_scope',
  })
  const { data } = await handlers.listVehicleImports({ filter: {}, sort: 'created', pageSize: 20 }, foreign)
  expect(data.list).toEqual([])
})

it('corrects what a vehicle is called until its device has called', async () => {
  const single = { areaId: 31, number: 'IM000041', imei: '352099001761481', protocol: 'omni', model: 'P1' } as const
  const { data } = await handlers.uploadCarIdSingle({ ...single, serial: 'SN-0041', isImeiUnchecked: false }, operator)
  const change = { vehicleId: data.vehicleId, imei: single.imei, model: 'P1', isImeiUnchecked: false }
  await handlers.uploadCarIdUpdate({ ...change, number: 'IM000042', serial: 'SN-0042' }, operator)
  await owner
    .updateTable('vehicle_status')
    .set({ heard_at: new Date(site.kit.clock.now()) })
    .where('vehicle_id', '=', data.vehicleId)
    .execute()
  await handlers.uploadCarIdUpdate({ ...change, number: 'IM000042', serial: 'SN-0043' }, operator)
  await expect(handlers.uploadCarIdUpdate({ ...change, number: 'IM000043' }, operator)).rejects.toMatchObject({
    code: 'unit_in_contact',
  })
  await expect(handlers.uploadCarIdUpdate({ ...change, number: 'IM000042' }, foreign)).rejects.toMatchObject({
    code: 'vehicle_not_found',
  })
})

it('delivers, deploys and retires vehicles, each once', async () => {
  const both = { agentIds: [3, 4], areaIds: [31, 32, 41] }
  const maker = sessionCall({ operatorId: 7, agentId: 2, grant: both, name: '周可', permissions: ['0601'] })
  const single = { areaId: 31, number: 'IM000051', imei: '490154203237542', protocol: 'omni', model: 'P1' } as const
  const { data } = await handlers.uploadCarIdSingle({ ...single, serial: 'SN-0051', isImeiUnchecked: true }, maker)
  const vehicleIds = [data.vehicleId]
  const unit = async () =>
    (await handlers.listUnits({ filter: { text: 'SN-0051' }, sort: 'made', pageSize: 20 }, maker)).data.list[0]
  expect(await unit()).toMatchObject({ stage: 'made', state: 'removed', areaId: 31, number: 'IM000051' })
  await expect(handlers.deliverUnits({ vehicleIds, areaId: 41 }, operator)).rejects.toMatchObject({
    code: 'foreign_scope',
  })
  await handlers.deliverUnits({ vehicleIds, areaId: 41 }, maker)
  expect(await unit()).toMatchObject({ stage: 'delivered', agentId: 4, areaId: 41, company: '城南出行' })
  await expect(handlers.deployUnits({ vehicleIds }, operator)).rejects.toMatchObject({ code: 'vehicle_not_found' })
  await handlers.deployUnits({ vehicleIds }, foreign)
  expect(await unit()).toMatchObject({ stage: 'activated', state: 'available' })
  await expect(handlers.deliverUnits({ vehicleIds, areaId: 31 }, maker)).rejects.toMatchObject({
    code: 'unit_deployed',
  })
  await owner.updateTable('vehicle').set({ state: 'on_trip' }).where('id', '=', data.vehicleId).execute()
  await expect(handlers.retireUnits({ vehicleIds }, foreign)).rejects.toMatchObject({ code: 'unit_busy' })
  await owner.updateTable('vehicle').set({ state: 'available' }).where('id', '=', data.vehicleId).execute()
  await handlers.retireUnits({ vehicleIds }, foreign)
  expect(await unit()).toMatchObject({ stage: 'retired', state: 'removed' })
  await expect(handlers.retireUnits({ vehicleIds }, foreign)).rejects.toMatchObject({ code: 'unit_retired' })
})
