import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { auditFieldTitles } from '@saddle/contract/audit/fields.ts'
import { builtInProfiles } from '@saddle/contract/fleet/deviceProfiles.ts'
import { everyCall } from '@saddle/contract/endpoints.ts'
import { wallScreenEndpoints } from '@saddle/contract/identity/screens.ts'
import { totpCode, stepMs } from '#identity/totp/rules.ts'
import { createOrganisation } from '#organisation/public.ts'
import type { TestClient } from '#test/client.ts'
import { createAuthenticator } from '#identity/passkeys/authenticator.fixture.ts'
import { specimens } from '#test/isolation/specimens/all.ts'
import type { SealedName } from '#test/isolation/specimens/specimen.ts'
import { testPriceRules } from '#test/rides.ts'
import { changeWorld, numberIn } from './changeWorld.fixture.ts'
import { costsOfCompanies } from './costChanges.fixture.ts'
import { channelBills } from './channelBillChanges.fixture.ts'
import { contentOfRiders } from './contentChanges.fixture.ts'
import { upgrades } from './upgradeChanges.fixture.ts'
import { fieldWork } from './fieldChanges.fixture.ts'
import { openInterfaces } from './feedChanges.fixture.ts'
import { noticesOfStaff } from './noticeChanges.fixture.ts'
import {
  activitiesOfRiders,
  campaignsOfRiders,
  couponsOfRiders,
  invitesOfRiders,
  invoicesOfRiders,
  payOrder,
  rewardsOfRiders,
  ridersMoney,
  ticketsOfRiders,
} from './riderChanges.fixture.ts'
import { reportsOfCompanies } from './reportChanges.fixture.ts'
import { readingsOfSplits, splitsOfCompanies } from './splitChanges.fixture.ts'

/**
 * Every call of the contract that may change something is made once with success, and leaves a line. A new call does
 * not pass until it is made here, or stands below with the reason why it leaves none.
 */
const without: Readonly<Record<string, string>> = {
  ...readingsOfSplits,
  previewUpgrade: 'asks, and changes nothing',
  printLabels: 'makes a file of what the list shows, and changes nothing',
  businessAssets: 'asks, and changes nothing',
  prepareCharge: 'asks, and changes nothing',
  withdrawableCharges: 'asks, and changes nothing',
  listChargeNotes: 'asks, and changes nothing',
  sumChargeNotes: 'asks, and changes nothing',
  listSpendNotes: 'asks, and changes nothing',
  sumSpendNotes: 'asks, and changes nothing',
  listAssetDetails: 'asks, and changes nothing',
  sumAssetDetails: 'asks, and changes nothing',
  assetPayDetail: 'asks, and changes nothing',
  meterPrices: 'asks, and changes nothing',
  listServiceBills: 'asks, and changes nothing',
  sumServiceBills: 'asks, and changes nothing',
  listBillLines: 'asks, and changes nothing',
  sumBillLines: 'asks, and changes nothing',
  billLineDetails: 'asks, and changes nothing',
  listBillAreas: 'asks, and changes nothing',
  listObjections: 'asks, and changes nothing',
  sumObjections: 'asks, and changes nothing',
  objectionDetails: 'asks, and changes nothing',
  listFinanceExports: 'asks, and changes nothing',
  previewArea: 'asks, and changes nothing',
  previewCommands: 'asks, and changes nothing',
  checkElectricFences: 'asks, and changes nothing',
  fenceEffect: 'asks, and changes nothing',
  returnClusters: 'asks, and changes nothing',
  findVehicleIds: 'asks, and changes nothing',
  comparePrices: 'asks, and changes nothing',
  previewFixedActivity: 'asks, and changes nothing',
  previewTaskActivity: 'asks, and changes nothing',
  tryBenefit: 'asks, and changes nothing',
  listChannelDays: 'asks, and changes nothing',
  sumChannelDays: 'asks, and changes nothing',
  listChannelDifferences: 'asks, and changes nothing',
  sumChannelDifferences: 'asks, and changes nothing',
  previewRidingActivity: 'asks, and changes nothing',
  sizeSegment: 'asks, and changes nothing',
  previewCoupon: 'asks, and changes nothing',
  previewCard: 'asks, and changes nothing',
  previewDeposit: 'asks, and changes nothing',
  previewRechargeActivity: 'asks, and changes nothing',
  previewInviteActivity: 'asks, and changes nothing',
  dryRunTaskRules: 'asks, and changes nothing',
  accountInfo: 'asks, and changes nothing',
  listCompanyAccounts: 'asks, and changes nothing',
  sumCompanyAccounts: 'asks, and changes nothing',
  companyAccount: 'asks, and changes nothing',
  openingPaper: 'asks, and changes nothing',
  companySubAccounts: 'asks, and changes nothing',
  bankBalance: 'asks, and changes nothing',
  listWithdrawals: 'asks, and changes nothing',
  sumWithdrawals: 'asks, and changes nothing',
  withdrawalDetail: 'asks, and changes nothing',
  withdrawalTerms: 'asks, and changes nothing',
  sendCardCode: 'asks the bank for a message or page of its own',
  sendCardEmail: 'asks the bank for a message or page of its own',
  authoriseWithdrawal: 'asks the bank for a message or page of its own',
  askWithdrawal: 'asks the bank; what it answers leaves a line of its own',
  openAccount: 'needs a bank: finance/accounts/lines.test.ts makes it and reads its line',
  uploadCompanyPaper: 'needs a bank: finance/accounts/lines.test.ts makes it and reads its line',
  uploadPersonPaper: 'needs a bank: finance/accounts/lines.test.ts makes it and reads its line',
  submitCompanyOpening: 'needs a bank: finance/accounts/lines.test.ts makes it and reads its line',
  submitPersonOpening: 'needs a bank: finance/accounts/lines.test.ts makes it and reads its line',
  copyOpening: 'needs a bank: finance/accounts/lines.test.ts makes it and reads its line',
  exportCompanyAccounts: 'needs a bank: finance/accounts/lines.test.ts makes it and reads its line',
  addSubAccount: 'needs a bank: finance/accounts/lines.test.ts makes it and reads its line',
  bindCard: 'needs a bank: finance/accounts/lines.test.ts makes it and reads its line',
  bindCardCheck: 'needs a bank: finance/accounts/lines.test.ts makes it and reads its line',
  unbindCard: 'needs a bank: finance/accounts/lines.test.ts makes it and reads its line',
  fileWithdrawal: 'needs a bank: finance/accounts/lines.test.ts makes it and reads its line',
  sendWithdrawal: 'needs a bank: finance/accounts/lines.test.ts makes it and reads its line',
  confirmWithdrawal: 'needs a bank: finance/accounts/lines.test.ts makes it and reads its line',
  cancelWithdrawal: 'needs a bank: finance/accounts/lines.test.ts makes it and reads its line',
  listPayoutLines: 'asks, and changes nothing',
  sumPayoutLines: 'asks, and changes nothing',
  moneyOfRide: 'asks, and changes nothing',
  exportPayoutLines: 'needs a withdrawal: finance/payouts/payouts.test.ts makes it and reads its line',
  exportWithdrawals: 'needs a bank: finance/accounts/lines.test.ts makes it and reads its line',
  setWithdrawalTerms: 'needs a bank: finance/accounts/lines.test.ts makes it and reads its line',
  paymentPasswordLink: 'asks the bank for a page; what is done there is written by the bank',
  keepHelpPicture: 'removed after a day unless a version shows it, which leaves a line',
  keepAdPicture: 'removed after a day unless a version shows it, which leaves a line',
  previewNotice: 'asks, and changes nothing',
  readOwnNotices: 'what the person alone has read',
  askNoticeAddress: 'nothing is in force until it is confirmed',
  confirmNoticeAddress: 'needs a code: notices/notices.test.ts makes it and reads its line',
  beginPasskey: 'asks, and changes nothing',
  beginTotp: 'nothing is in force until it is confirmed',
  saveSelfSettings: 'language and notices of the person alone',
  saveOwnLayout: 'the layout of the person alone',
  registerForSupport: 'names the person to the support, with what the session knows already',
  sendMyMessage: 'the message itself says who wrote it and when, and is never changed',
  replyToConversation: 'the message itself says who wrote it and when, and is never changed',
}

const world = await changeWorld()
const { act, kit, lineless, made, manager, of, owner, refused, root, server } = world

const role = { description: '', codes: ['0301'] }
const person = { level: 4, roleId: null, allAreas: true }

async function companies(): Promise<void> {
  const agent = await act(root, 'createAgent', { parentId: 2, company: 'New company' })
  await act(root, 'changeAgent', { id: numberIn(agent, 'id'), company: 'Renamed company' })
  const look = { webTitle: 'Renamed console', appTitle: null, company: null, layout: {} }
  await act(root, 'saveCompanyAppearance', { id: numberIn(agent, 'id'), ...look })
  await act(root, 'setApiKey', { id: numberIn(agent, 'id'), isOn: true })
  const ring = [
    [121, 32],
    [121.1, 32],
    [121.1, 32.1],
    [121, 32],
  ]
  const area = await act(root, 'createArea', { agentId: of.agentId, name: 'New area', ring })
  await act(root, 'changeArea', { id: numberIn(area, 'id'), name: 'Renamed area' })
  await act(root, 'removeArea', { id: numberIn(area, 'id') })
  const submit = (phone: string): Promise<string> =>
    createOrganisation(kit).submitApplication({
      company: `Applicant ${phone}`,
      contact: 'Somebody',
      phone,
      city: 'City',
      plannedVehicles: 100,
      remark: '',
    })
  const applicationNumber = await submit('13566660001')
  const founder = { phone: '13566660001', name: 'Founder' }
  const asked = { applicationNumber, parentId: 2, company: 'Accepted', manager: founder, area: { name: 'First', ring } }
  await act(root, 'acceptApplication', asked)
  await act(root, 'refuseApplication', { applicationNumber: await submit('13566660002'), reason: 'no' })
}

async function rolesAndPeople(): Promise<void> {
  const own = numberIn(await act(root, 'createRole', { name: 'New role', ...role }), 'id')
  await act(root, 'changeRole', { id: own, version: 1, name: 'Renamed role', ...role, codes: ['0302'] })
  await act(root, 'setRoleState', { id: own, state: 'disabled' })
  await act(root, 'removeRole', { id: own })
  const below = numberIn(await act(root, 'createAgentRole', { agentId: of.agentId, name: 'Below', ...role }), 'id')
  await act(root, 'changeAgentRole', { id: below, version: 1, name: 'Renamed below', ...role })
  await act(root, 'removeAgentRole', { id: below })

  const phone = '13577770001'
  const user = numberIn(await act(root, 'createUser', { phone, name: 'New user', ...person }), 'operatorId')
  await act(root, 'changeUser', { operatorId: user, version: 1, name: 'Renamed user', ...person })
  await act(root, 'createSupportAccount', { operatorId: user })
  await act(root, 'setUserState', { operatorId: user, state: 'disabled' })
  await act(root, 'removeUser', { phone })
  const given = { agentId: of.agentId, phone: '13577770002', name: 'New account', ...person }
  const account = numberIn(await act(root, 'createAgentAccount', given), 'operatorId')
  await act(root, 'changeAgentAccount', { operatorId: account, version: 1, name: 'Renamed account', ...person })
  await act(root, 'setAgentAccountState', { operatorId: account, state: 'disabled' })
  await act(root, 'removeAgentAccount', { operatorId: account })
  await act(root, 'createAlly', { phone: '13577770003', name: 'Ally', note: '' })
  await act(root, 'removeAlly', { phone: '13577770003' })
}

async function vehiclesAndRides(): Promise<void> {
  const [vehicleId] = of.vehicleIds
  await act(manager, 'lockVehicle', { vehicleId, kind: 'unlock', reason: 'r' })
  await act(manager, 'turnLock', { number: of.vehicleNumber, locked: true, reason: 'r' })
  await act(manager, 'openBatteryCompartment', { number: of.vehicleNumber, reason: 'r' })
  await act(manager, 'commandVehicles', { vehicleIds: [vehicleId], kind: 'ring', reason: 'r' })
  await act(manager, 'fixAlarmTickets', { ids: [of.alarmIds[0]] })
  await act(manager, 'reopenAlarmTickets', { ids: [of.alarmIds[0]] })
  await owner.updateTable('vehicle').set({ state: 'available' }).where('id', '=', vehicleId).execute()
  await act(manager, 'takeOutOfService', { vehicleIds: [vehicleId], reason: 'r' })
  await act(manager, 'returnToService', { vehicleIds: [vehicleId] })
  await act(manager, 'fixFixTickets', { ids: [of.repairIds[0]] })
  const screening = numberIn(await act(manager, 'saveScreening', { name: 'New screening', filter: {} }), 'id')
  await act(manager, 'changeScreening', { id: screening, name: 'Renamed', filter: { states: ['missing'] } })
  await act(manager, 'removeScreening', { id: screening })
  await act(manager, 'publishPriceVersion', { areaIds: [of.areaIds[0]], name: 'New price', rules: testPriceRules })
  await act(manager, 'withdrawPriceVersions', { areaIds: [of.areaIds[0]] })
  await payOrder(world, of.orderIds[0])
  await invoicesOfRiders(world)
  await costsOfCompanies(world)
  await splitsOfCompanies(world)
  await couponsOfRiders(world)
  await activitiesOfRiders(world)
  await rewardsOfRiders(world)
  await contentOfRiders(world)
  await invitesOfRiders(world)
  await campaignsOfRiders(world)
  await act(manager, 'decideReturns', { orderIds: [of.orderIds[1]], decision: 'kept' })
  await act(manager, 'refundOrder', { orderId: of.orderIds[0], reason: 'r' })
  await act(manager, 'banRiders', { riderIds: [of.riderId], reason: 'r' })
  await act(manager, 'liftBans', { riderIds: [of.riderId], reason: 'r' })
  await act(manager, 'decideCertificates', { ids: [of.certificateId], decision: 'refused', reason: 'r' })
  await act(manager, 'reopenCertificates', { ids: [of.certificateId] })
  await act(manager, 'decideRebind', { id: of.rebindId, decision: 'approved' })
  for (const name of ['exportRiders', 'exportBans', 'exportCertificates', 'exportRebinds'] as const) {
    await act(manager, name, {})
  }
  await ridersMoney(world)
  await ticketsOfRiders(world)
  await act(manager, 'exportVehicles', {})
  await act(manager, 'exportVehicleTrips', { filter: { vehicleId } })
  await act(manager, 'exportWork', specimens.exportWork(of, of.manager))
  await reportsOfCompanies(world)
  await act(manager, 'exportReports', specimens.exportReports(of, of.manager))
  await act(manager, 'exportOrders', {})
  const { rows: files } = await sql<{ export_id: string }>`
    select export_id from export_job where state = 'done' and operator_id = ${of.managerId} order by id limit 2`.execute(
    owner,
  )
  const [kept, open] = files.map((row) => row.export_id)
  await sql`update export_job set state = 'queued', finished_at = null where export_id = ${open}`.execute(owner)
  await act(manager, 'removeExport', { exportId: kept ?? '' })
  await act(manager, 'cancelExport', { exportId: open ?? '' })
  await noticesOfStaff(world)
  await openInterfaces(world)
  await act(manager, 'exportReturnReviews', {})
  await act(manager, 'exportReview', { operatorId: of.workerId })
  await act(manager, 'exportHolders', { filter: { code: '0301' } })
  for (const name of [
    'exportUsers',
    'exportAgentAccounts',
    'exportRoles',
    'exportAgentRoles',
    'exportAllies',
    'exportAreas',
    'exportApplications',
  ] as const) {
    await act(root, name, {})
  }
  for (const name of ['exportUserLogs', 'exportVehicleLogs', 'exportDeviceLogs'] as const) await act(manager, name, {})
}

async function fences(): Promise<void> {
  const draft = {
    name: 'New fence',
    capacity: 9,
    hours: null,
    shape: { centre: { lat: 31.02, lng: 120.02 }, radiusM: 20 },
  }
  const created = await act(manager, 'createElectricFences', {
    areaId: of.areaIds[0],
    kind: 'parking',
    fences: [draft],
  })
  const [fence] = created['list'] as { lineId: number }[]
  const lineId = fence?.lineId ?? 0
  await act(manager, 'updateElectricFences', { changes: [{ lineId, version: 1, ...draft, name: 'Renamed fence' }] })
  await act(manager, 'exportElectricFences', { filter: { kind: 'parking' }, format: 'kml' })
  await act(manager, 'deleteElectricFences', { fences: [{ lineId, version: 2 }], note: 'r' })
}

/** Binds an authenticator, and returns the recovery codes. */
async function bindTotp(client: TestClient): Promise<string[]> {
  const { secret } = await act(client, 'beginTotp', {})
  const code = totpCode(String(secret), Math.floor(kit.clock.now() / stepMs))
  const { recoveryCodes } = await act(client, 'confirmTotp', { code })
  return recoveryCodes as string[]
}

async function onBoardDevices(): Promise<void> {
  const registration = { protocol: 'jt808', model: 'T', areaId: of.areaIds[0], isImeiUnchecked: true }
  const vehicle = { ...registration, number: 'NEW00001', imei: '352099001700001' }
  const vehicleId = numberIn(await act(manager, 'registerVehicle', vehicle), 'vehicleId')
  const profile = { protocol: 'jt808', model: 'T', profile: builtInProfiles.doors, version: 0, reason: 'r' }
  await act(root, 'setVehicleModel', profile)
  for (const name of ['exportVehicleModels', 'exportUnknownDevices'] as const) await act(manager, name, {})
  await act(manager, 'exportVehicleLife', { vehicleId })
  await act(manager, 'showDeviceSecret', { vehicleId })
  await act(manager, 'changeDeviceSecret', { vehicleId, reason: 'r' })
  await act(manager, 'openRegistration', { vehicleId, minutes: 5 })
  await act(manager, 'unregisterVehicle', { vehicleId, reason: 'r' })
  const name = of.unknownDevice
  await act(manager, 'refuseUnknownDevice', { name, reason: 'r' })
  await act(manager, 'reopenUnknownDevice', { name })
  const accepted = { ...registration, number: 'NEW00002', imei: name }
  await act(manager, 'acceptUnknownDevice', { name, registration: accepted })
}

/** Passkeys belong to a name: the server is called by one. */
async function passkeys(): Promise<void> {
  const origin = server.address.replace('127.0.0.1', 'localhost')
  const device = createAuthenticator({ origin, rpId: 'localhost' })
  const named = await server.login(of.manager, origin)
  const { challenge } = await act(named, 'beginPasskey', {})
  const credential = device.create(String(challenge))
  const id = numberIn(await act(named, 'addPasskey', { name: 'New passkey', credential }), 'id')
  await act(manager, 'renamePasskey', { id, name: 'Renamed passkey' })
  await act(manager, 'removePasskey', { id })
}

async function screens(): Promise<void> {
  const wall = server.client()
  const { body } = await wall.call(wallScreenEndpoints.beginScreenPairing, {})
  const paired = { code: body.data.code, name: 'New screen', pages: ['operations' as const] }
  const id = numberIn(await act(manager, 'pairScreen', paired), 'id')
  await act(manager, 'renameScreen', { id, name: 'Renamed screen' })
  await act(manager, 'removeScreen', { id })
}

async function devicesAndSessions(): Promise<void> {
  await act(manager, 'endOwnSession', { id: of.sessionId })
  await act(manager, 'deviceAuthorizeConfirm', { ids: [of.deviceId] })
  await act(manager, 'deviceAuthorizeRemove', { ids: [of.deviceId] })
  await act(manager, 'exportOperatorDevices', {})
  await act(manager, 'devicePermission', { agentId: of.agentId, policy: 'approval', approveRecentDays: 90 })
  await act(manager, 'forgetOwnDevice', { id: of.deviceId })
  await act(manager, 'createQuickLogin', {})
  const [ofManager = ''] = await bindTotp(manager)
  await act(manager, 'passTotp', { code: ofManager })
  await act(root, 'resetSecondFactor', { operatorId: of.managerId })
  const [ofRoot = ''] = await bindTotp(root)
  await act(root, 'endTotp', { code: ofRoot })
  await act(root, 'logout', {})
}

it('leaves a line of every change', async () => {
  await companies()
  await rolesAndPeople()
  await screens()
  await upgrades(world)
  await vehiclesAndRides()
  await fences()
  await fieldWork(world)
  await channelBills(world)
  await onBoardDevices()
  await passkeys()
  await devicesAndSessions()
  expect(refused).toEqual([])
  expect(lineless.filter((name) => !Object.hasOwn(without, name))).toEqual([])
})

it('is asked for every call that is no reading, or says why not', () => {
  const names = (Object.keys(specimens) as SealedName[]).filter((name) => {
    const { method, scope } = everyCall[name]
    return method !== 'GET' && scope !== 'none'
  })
  expect(names.length).toBeGreaterThan(50)
  expect(names.filter((name) => !made.has(name) && !Object.hasOwn(without, name))).toEqual([])
  const needless = Object.keys(without).filter((name) => !names.some((known) => known === name))
  expect(needless).toEqual([])
})

it('has words for every field that a line names', async () => {
  const { rows } = await sql<{ field: string; action: string }>`
    with recursive parts (action, field, value) as (
      select line.action, key, value from audit_record line,
        lateral (select * from jsonb_each(line.before) union all select * from jsonb_each(line.after)) each
      union all
      select parts.action, coalesce(inner_key, parts.field), inner_value from parts,
        lateral (
          select key as inner_key, value as inner_value
          from jsonb_each(case jsonb_typeof(parts.value) when 'object' then parts.value else '{}' end)
          union all
          select null, value from jsonb_array_elements(case jsonb_typeof(parts.value) when 'array' then parts.value else '[]' end)
        ) inside
    )
    select distinct action, field from parts order by 1, 2`.execute(owner)
  expect(rows.length).toBeGreaterThan(50)
  expect(rows.filter(({ field }) => !Object.hasOwn(auditFieldTitles, field))).toEqual([])
})
