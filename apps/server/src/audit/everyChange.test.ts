import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { auditFieldTitles } from '@saddle/contract/audit/words.ts'
import { builtInProfiles } from '@saddle/contract/fleet/deviceProfiles.ts'
import { suggestedTaskRules } from '@saddle/contract/operations/taskRules.ts'
import { taskTargetMinutes } from '@saddle/contract/operations/taskTargets.ts'
import type { Endpoint } from '@saddle/contract/endpoint.ts'
import { endpoints } from '@saddle/contract/endpoints.ts'
import { totpCode, stepMs } from '#identity/totp/rules.ts'
import { createFinance, rideChargeByChannel } from '#finance/public.ts'
import { createOrganisation } from '#organisation/public.ts'
import type { TestClient } from '#test/client.ts'
import { createAuthenticator } from '#identity/passkeys/authenticator.fixture.ts'
import { specimens, type SealedName } from '#test/isolation/specimens.ts'
import { testPlatform } from '#test/platform.ts'
import { testPriceRules } from '#test/rides.ts'
import { rootPhone, seedTenants, type TenantFixture } from '#test/tenants.ts'

/**
 * Every call of the contract that may change something is made once with success, and leaves a line. A new call does
 * not pass until it is made here, or stands below with the reason why it leaves none.
 */
const without: Readonly<Record<string, string>> = {
  previewArea: 'asks, and changes nothing',
  previewCommands: 'asks, and changes nothing',
  checkElectricFences: 'asks, and changes nothing',
  fenceEffect: 'asks, and changes nothing',
  returnClusters: 'asks, and changes nothing',
  findVehicleIds: 'asks, and changes nothing',
  comparePrices: 'asks, and changes nothing',
  dryRunTaskRules: 'asks, and changes nothing',
  accountInfo: 'asks, and changes nothing',
  paymentPasswordLink: 'asks the bank for a page; what is done there is written by the bank',
  beginPasskey: 'asks, and changes nothing',
  beginTotp: 'nothing is in force until it is confirmed',
  saveSelfSettings: 'language and notices of the person alone',
  saveOwnLayout: 'the layout of the person alone',
  registerForSupport: 'names the person to the support, with what the session knows already',
  sendMyMessage: 'the message itself says who wrote it and when, and is never changed',
  replyToConversation: 'the message itself says who wrote it and when, and is never changed',
}

let tenants: readonly [TenantFixture, TenantFixture] | undefined
const server = await testPlatform({
  env: { SERVICES: 'api' },
  seed: async (kit) => {
    tenants = await seedTenants(kit)
  },
})
if (tenants === undefined) throw new Error('the seed did not run')
const [of] = tenants
const manager = await server.login(of.manager)
const root = await server.login(rootPhone)
const { kit, owner } = server

type Answer = { readonly data: Readonly<Record<string, unknown>> }
const lineless: string[] = []
const refused: string[] = []
const made = new Set<SealedName>()

/** Makes the call and looks whether it left a line. */
async function act(client: TestClient, name: SealedName, input: unknown): Promise<Answer['data']> {
  const endpoint: Endpoint = endpoints[name]
  const last = sql<{ id: number }>`select coalesce(max(id), 0) as id from audit_record`
  const before = (await last.execute(owner)).rows[0]?.id
  const { status, body } = await client.call(endpoint, input)
  made.add(name)
  if (status !== 200) refused.push(`${name}: ${JSON.stringify(body)}`)
  if ((await last.execute(owner)).rows[0]?.id === before) lineless.push(name)
  return (body as Answer).data ?? {}
}

const numberIn = (data: Answer['data'], key: string): number => Number(data[key])
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

/** The fixture's order has cost nine yuan; the ledger knows only what went through it. */
async function payOrder(orderId: number): Promise<void> {
  const order = await owner
    .selectFrom('ride_order')
    .select('rider_id')
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow()
  const charge = { agentId: of.agentId, riderId: order.rider_id, orderId, cents: 900, at: kit.clock.now() }
  const { ledger } = createFinance(kit)
  await ledger.post(rideChargeByChannel({ ...charge, channel: 'sandbox' }))
  await ledger.close()
}

async function vehiclesAndRides(): Promise<void> {
  const [vehicleId] = of.vehicleIds
  await act(manager, 'lockVehicle', { vehicleId, kind: 'unlock', reason: 'r' })
  await act(manager, 'turnLock', { number: of.vehicleNumber, locked: true, reason: 'r' })
  await act(manager, 'openBatteryCompartment', { number: of.vehicleNumber, reason: 'r' })
  await act(manager, 'commandVehicles', { vehicleIds: [vehicleId], kind: 'ring', reason: 'r' })
  await act(manager, 'fixAlarmTickets', { ids: [of.alarmIds[0]] })
  await act(manager, 'fixFixTickets', { ids: [of.repairIds[0]] })
  const screening = numberIn(await act(manager, 'saveScreening', { name: 'New screening', filter: {} }), 'id')
  await act(manager, 'changeScreening', { id: screening, name: 'Renamed', filter: { states: ['missing'] } })
  await act(manager, 'removeScreening', { id: screening })
  await act(manager, 'publishPriceVersion', { areaIds: [of.areaIds[0]], name: 'New price', rules: testPriceRules })
  await act(manager, 'withdrawPriceVersions', { areaIds: [of.areaIds[0]] })
  await payOrder(of.orderIds[0])
  await invoicesOfRiders()
  await act(manager, 'decideReturns', { orderIds: [of.orderIds[1]], decision: 'kept' })
  await act(manager, 'refundOrder', { orderId: of.orderIds[0], reason: 'r' })
  await act(manager, 'banRiders', { riderIds: [of.riderId], reason: 'r' })
  await act(manager, 'liftBans', { riderIds: [of.riderId], reason: 'r' })
  await act(manager, 'decideCertificates', { ids: [of.certificateId], decision: 'refused', reason: 'r' })
  await act(manager, 'reopenCertificate', { id: of.certificateId })
  await act(manager, 'decideRebind', { id: of.rebindId, decision: 'approved' })
  for (const name of ['exportRiders', 'exportBans', 'exportCertificates', 'exportRebinds'] as const) {
    await act(manager, name, {})
  }
  await ridersMoney()
  await ticketsOfRiders()
  await act(manager, 'exportVehicles', {})
  await act(manager, 'exportWork', specimens.exportWork(of, of.manager))
  await act(manager, 'exportOrders', {})
  await act(manager, 'exportReturnReviews', {})
  await act(manager, 'exportReview', { operatorId: of.workerId })
  await act(manager, 'exportLogs', { category: 'operator' })
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

/** What field work goes by: rules, people, reasons, parts, pay. */
async function fieldConfig(areas: { areaId: number; version: number }[]): Promise<void> {
  await act(manager, 'saveTaskRules', { areas, rules: [...suggestedTaskRules] })
  const people = [{ operatorId: of.workerId, kinds: ['repair'] }]
  await act(manager, 'saveWorkArea', { areaId: of.areaIds[0], version: 1, targets: taskTargetMinutes, people })
  const reason = numberIn(await act(manager, 'saveFixReason', { name: 'New reason' }), 'id')
  await act(manager, 'saveFixReason', { id: reason, version: 1, name: 'Renamed reason' })
  await act(manager, 'removeFixReason', { id: reason })
  const part = { name: 'New part', unit: 'x', priceCents: 100 }
  const id = numberIn(await act(manager, 'saveRepairPart', part), 'id')
  await act(manager, 'saveRepairPart', { ...part, id, version: 1, name: 'Renamed part' })
  await act(manager, 'moveRepairStock', { id, pieces: 10 })
  await act(manager, 'removeRepairPart', { id })
  const wish = { areaId: of.areaIds[0], lat: 31.05, lng: 120.06, radiusM: 15, capacity: 12, reason: 'r' }
  const first = numberIn(await act(manager, 'submitParkApplication', { ...wish, name: 'Wish 1' }), 'id')
  await act(manager, 'withdrawParkApplication', { id: first })
  const second = numberIn(await act(manager, 'submitParkApplication', { ...wish, name: 'Wish 2' }), 'id')
  await act(root, 'decideParkApplications', { ids: [second], decision: 'approved' })
  await act(manager, 'exportParkApplications', {})
  await act(manager, 'saveTaskPay', { pay: [{ kind: 'repair', cents: 1_000, reviewed: true }] })
}

/** A task through its life; the manager may not look at the own work, so somebody from above does. */
async function fieldWork(): Promise<void> {
  const vehicleIds = [of.vehicleIds[0]]
  const created = await act(manager, 'createTasks', { vehicleIds, kind: 'inspect', note: 'r' })
  const [id = 0] = created['created'] as number[]
  await act(manager, 'claimTask', { id })
  await act(manager, 'releaseTask', { id })
  await act(manager, 'assignTasks', { ids: [id], operatorId: of.managerId })
  await act(manager, 'transferTask', { id, operatorId: of.managerId })
  await act(manager, 'startTask', { id })
  await act(manager, 'prioritiseTasks', { ids: [id], priority: 1 })
  await act(manager, 'cancelTasks', { ids: [id], note: 'r' })
  await act(manager, 'reopenTasks', { ids: [id] })
  await act(manager, 'claimTask', { id })
  await act(manager, 'completeTask', { id })
  await sql`
    insert into task_review (task_id, agent_id, area_id) select id, agent_id, area_id from task where id = ${id}`.execute(
    owner,
  )
  await act(root, 'reviewTasks', { ids: [id], decision: 'approved' })
  await fieldConfig([{ areaId: of.areaIds[0], version: 1 }])
  await act(manager, 'exportTasks', { filter: { kinds: ['inspect'] } })
  await rebalancing()
}

/** A vehicle that nothing holds is carried from its place to an empty one. */
async function rebalancing(): Promise<void> {
  const [areaId] = of.areaIds
  const [vehicleId] = of.vehicleIds
  await sql`update task set state = 'cancelled', done_at = now() where vehicle_id = ${vehicleId} and done_at is null`.execute(
    owner,
  )
  await sql`update vehicle set state = 'available' where id = ${vehicleId}`.execute(owner)
  const { rows } = await sql<{ id: number; is_near: boolean }>`
    insert into fence (agent_id, area_id, kind, name, radius_m, valid_from, centre_lat, centre_lng, west, south, east, north)
    select ${of.agentId}, ${areaId}, 'parking', n.name, 30, now() - interval '1 day', n.lat, n.lng, n.lng, n.lat, n.lng, n.lat
    from vehicle_status s, lateral (values
      ('Here', s.lat + 0.00001, s.lng), ('There', s.lat + 0.01, s.lng)) n (name, lat, lng)
    where s.vehicle_id = ${vehicleId}
    returning id, name = 'Here' as is_near`.execute(owner)
  await sql`insert into fence_change (changed_area_id) values (${areaId})`.execute(owner)
  const places = await sql<{ id: number }>`
    select f.id from fence f
    where f.area_id = ${areaId} and f.kind = 'parking' and f.valid_to is null`.execute(owner)
  const there = rows.find((row) => !row.is_near)?.id
  const moves = places.rows
    .filter(({ id }) => id !== there)
    .map(({ id }) => ({ fromFenceId: id, toFenceId: there, vehicles: 1 }))
  await act(manager, 'adoptPlan', { areaId, moves })
  await act(manager, 'exportPlans', {})
}

/** Charges by hand, refunds, a deposit's cases, and what is sold. */
async function ridersMoney(): Promise<void> {
  const { riderId } = of
  const { paymentId, refundId, depositId, caseId, productId } = of.money
  await act(manager, 'platformCharge', { riderId, account: 'gift', direction: 'credit', cents: 100, reason: 'r' })
  await act(manager, 'undoPlatformCharge', { chargeId: of.money.chargeId, reason: 'r' })
  await act(manager, 'refundPayment', { paymentId, cents: 100, reason: 'r' })
  await act(manager, 'retryRefunds', { refundIds: [refundId] })
  await server.owner.updateTable('payment_refund').set({ state: 'failed' }).where('id', '=', refundId).execute()
  await act(manager, 'returnRefund', { refundId, reason: 'r' })
  const [actId] = of.money.actIds
  await act(manager, 'confirmMoneyAct', { id: actId })
  const { rows } = await sql<{ id: number }>`
    insert into money_action (agent_id, rider_id, act, cents, reason, input, input_hash, operator_id, operator_name,
      acted_at, expires_at, state)
    select agent_id, rider_id, act, cents, reason, input, 'other', operator_id, operator_name, acted_at, expires_at,
      'waiting' from money_action where id = ${actId} returning id`.execute(server.owner)
  await act(manager, 'rejectMoneyAct', { id: rows[0]!.id, note: 'r' })
  await act(manager, 'recoverDeposit', { caseId, cents: 100, reason: 'r' })
  const frozen = await act(manager, 'freezeDeposit', { depositId, cents: 100, reason: 'r' })
  const [fresh] = frozen['cases'] as { id: number }[]
  await act(manager, 'unfreezeDeposit', { caseId: fresh?.id, reason: 'r' })
  await act(manager, 'refundDeposit', { depositId, reason: 'r' })
  await act(manager, 'refundCard', { cardId: of.money.cardId, reason: 'r' })
  await act(manager, 'exportStatement', { riderId })
  for (const name of ['exportRefunds', 'exportDeposits'] as const) await act(manager, name, {})
  await act(manager, 'setDeposit', { areaIds: [of.areaIds[0]], cents: 100, freeStudents: true, freeCardHolders: true })
  const card = { kind: 'discount', name: 'New card', priceCents: 100, days: 30, percentOff: 10 }
  await act(manager, 'createCardProduct', { agentId: of.agentId, product: card })
  await act(manager, 'changeCardProduct', { id: productId, version: 1, product: { ...card, name: 'Renamed card' } })
}

async function invoicesOfRiders(): Promise<void> {
  const id = of.invoiceId
  await act(manager, 'revealInvoice', { id })
  await act(manager, 'refuseInvoices', { ids: [id], reason: 'r' })
  await act(manager, 'restoreInvoices', { ids: [id] })
  await act(manager, 'issueInvoices', { invoices: [{ id, number: '00000001' }] })
  await act(manager, 'flushInvoice', { id, redNumber: '00000002', reason: 'r' })
  await act(manager, 'exportInvoices', { filter: { titleKind: 'company' } })
}

async function ticketsOfRiders(): Promise<void> {
  const ticket = { kind: 'charge', text: 'r', orderId: of.orderIds[0] }
  const id = numberIn(await act(manager, 'openTicket', ticket), 'id')
  await act(manager, 'assignTickets', { ids: [id], assigneeId: of.workerId })
  await act(manager, 'replyToTicket', { id, text: 'r' })
  await act(manager, 'resolveTicket', { id, finding: 'justified', reply: 'r' })
  await act(manager, 'transitionTickets', { ids: [id], act: 'close' })
  await act(manager, 'exportTickets', { filter: { kinds: ['charge'] } })
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

async function devicesAndSessions(): Promise<void> {
  await act(manager, 'endOwnSession', { id: of.sessionId })
  await act(manager, 'deviceAuthorizeConfirm', { ids: [of.deviceId] })
  await act(manager, 'deviceAuthorizeRemove', { ids: [of.deviceId] })
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
  await vehiclesAndRides()
  await fences()
  await fieldWork()
  await onBoardDevices()
  await passkeys()
  await devicesAndSessions()
  expect(refused).toEqual([])
  expect(lineless.filter((name) => !Object.hasOwn(without, name))).toEqual([])
})

it('is asked for every call that is no reading, or says why not', () => {
  const names = (Object.keys(specimens) as SealedName[]).filter((name) => {
    const { method, scope } = endpoints[name]
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
