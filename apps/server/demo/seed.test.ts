import { describe, expect, it } from 'vitest'
import { demoVehicleCount, demoVehicles } from '@saddle/contract/demo/city.ts'
import { applyFinancialStatus, holdsPermission, type Permission } from '@saddle/contract/permissions.ts'
import { isRoutePermitted } from '@saddle/contract/menu.ts'
import { createAudit } from '#audit/public.ts'
import { createFinance } from '#finance/public.ts'
import { createFleet } from '#fleet/public.ts'
import { createIdentity } from '#identity/public.ts'
import { createOrganisation, createPeople } from '#organisation/public.ts'
import { createSupport } from '#support/public.ts'
import { testDatabase } from '#test/database.ts'
import { publicCall, sessionCall, testKit } from '#test/kit.ts'
import { demoLogins, demoWorkers } from './people.ts'
import { findDemoPeople, seedDemo } from './seed.ts'
import { brandedHost, demoServiceAreas, demoTenants } from './tenants.ts'

const { db, owner } = await testDatabase()
const other = await testDatabase()
const kit = testKit(db)
await Promise.all([seedDemo(kit), seedDemo(kit)])

const scope = { agentIds: demoTenants.map((tenant) => tenant.id), areaIds: demoServiceAreas.map((area) => area.id) }
const platform = sessionCall({ operatorId: 1, agentId: 2, grant: scope })

const counts = async () => {
  const tables = [
    'agent',
    'service_area',
    'operator',
    'role',
    'vehicle',
    'device',
    'chat_message',
    'ally',
    'screening',
  ] as const
  const rows = await Promise.all(
    tables.map(async (table) => {
      const { count } = await owner
        .selectFrom(table)
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      return [table, count] as const
    }),
  )
  return Object.fromEntries(rows)
}

describe('the demo', () => {
  it('is put in once, although two servers start together and one starts again', async () => {
    const wanted = {
      agent: 4,
      service_area: 6,
      operator: demoLogins.length + demoWorkers.length,
      role: 10,
      vehicle: demoVehicleCount,
      device: demoVehicleCount,
    }
    expect(demoVehicleCount).toBe(2_000)
    expect(await counts()).toMatchObject(wanted)
    const before = await counts()
    await seedDemo(kit)
    expect(await counts()).toEqual(before)
  })

  it('completes what was cut short', async () => {
    const before = await counts()
    await owner.deleteFrom('chat_conversation').execute()
    await owner.deleteFrom('franchise_application').execute()
    await owner.deleteFrom('ally').execute()
    await seedDemo(kit)
    expect(await counts()).toEqual(before)
    expect(await owner.selectFrom('franchise_application').select('id').execute()).toHaveLength(3)
  })

  it('keeps conditions of its people and the franchisers of its companies, which a vehicle search and a call can read', async () => {
    const people = await findDemoPeople(kit)
    const audit = createAudit(kit)
    const fleet = createFleet(kit, { audit }).handlers
    for (const [phone, names] of [
      ['13800138000', ['24 小时无人骑行', '电量 20% 以下']],
      ['13800138001', ['有未关闭告警', '电量 20% 以下']],
    ] as const) {
      const person = people.get(phone)
      if (person === undefined) throw new Error('the demo has this person')
      const { data } = await fleet.listScreenings({}, sessionCall({ ...person, grant: scope }))
      expect(data.list.map(({ name }) => name).toSorted()).toEqual([...names].toSorted())
    }
    const identity = await createIdentity(kit, { audit })
    const { handlers } = createPeople({ kit, audit, identity, finance: createFinance(kit) })
    const { data } = await handlers.listAllies({ filter: {}, sort: 'created', pageSize: 20 }, platform)
    expect(data.list.map(({ name, company, createdBy }) => `${name} ${company} ${createdBy}`)).toEqual([
      '叶知秋 绿途单车 林知远',
      '罗望舒 城际骑行 林知远',
      '贺清川 青禾出行 林知远',
    ])
    await identity.close()
  })

  it('puts every vehicle into the area and tenant that the simulator drives it in', async () => {
    const rows = await owner
      .selectFrom('vehicle')
      .innerJoin('device', 'device.vehicle_id', 'vehicle.id')
      .innerJoin('service_area', 'service_area.id', 'vehicle.area_id')
      .select(['vehicle.number', 'device.imei', 'service_area.name'])
      .orderBy('vehicle.number')
      .execute()
    const wanted = demoVehicles(demoVehicleCount).map((vehicle) => ({
      number: vehicle.number,
      imei: vehicle.imei,
      name: demoServiceAreas[vehicle.areaIndex]?.name,
    }))
    expect(rows).toEqual(wanted)
  })

  it('lists tenants and areas, each area with a centre inside of it', async () => {
    const { handlers } = createOrganisation(kit)
    const agents = await handlers.listAgentAccounts({}, platform)
    expect(agents.data.rows.map((row) => row.company)).toEqual(['青骑共享出行', '青禾出行', '绿途单车', '城际骑行'])
    const areas = await handlers.listServiceAreas({ page: 1, pageSize: 200 }, platform)
    expect(areas.data.count).toBe(6)
    for (const [index, area] of areas.data.list.entries()) {
      const ring = demoServiceAreas.find((candidate) => candidate.id === area.id)?.ring ?? []
      expect(isInside(ring, area.centre), `${index} ${area.name}`).toBe(true)
    }
    const branded = await handlers.agentByDomain({ apiKey: '', domain: `${brandedHost}:8080` }, publicCall())
    expect(branded.data).toMatchObject({ agentId: 3, branding: { webTitle: '青禾出行管理后台' } })
  })

  it('has something to answer in the inbox', async () => {
    const { handlers } = createSupport(kit, { organisation: createOrganisation(kit) })
    const { data } = await handlers.listConversations({ limit: 50 }, platform)
    expect(data.list).toHaveLength(3)
    expect(data.list.some((conversation) => conversation.unread > 0)).toBe(true)
    expect(data.list.every((conversation) => conversation.lastAt < kit.clock.now())).toBe(true)
  })

  it('leaves a database with other tenants alone', async () => {
    await other.owner.insertInto('agent').values({ company: '真实客户' }).execute()
    await seedDemo(testKit(other.db))
    expect(await other.owner.selectFrom('agent').select('company').execute()).toEqual([{ company: '真实客户' }])
    expect(await other.owner.selectFrom('operator').select('id').execute()).toEqual([])
  })
})

describe('the demo logins', () => {
  const codesOf = (phone: string): ReadonlySet<Permission> => {
    const login = demoLogins.find((candidate) => candidate.phone === phone)
    return new Set(login?.role.codes)
  }

  it('hold codes whose pages they can reach: no code hangs below a group that is missing', () => {
    const reachable: [phone: string, path: string][] = [
      ['13800138000', '/agent/account-management'],
      ['13800138001', '/vehicle/operation-map'],
      ['13800138002', '/vehicle/operation-map'],
      ['13800138002', '/data/operation-tasks'],
      ['13800138002', '/work/view-tickets'],
      ['13800138003', '/financial/CostCenter'],
      ['13800138003', '/report/wallet-report'],
      ['13800138004', '/vehicle/government-operation-map'],
      ['13800138005', '/production/vehicle-list'],
    ]
    for (const [phone, path] of reachable) expect(isRoutePermitted(path, codesOf(phone)), `${phone} ${path}`).toBe(true)
  })

  it('hold no more than their work asks for', () => {
    expect(holdsPermission(codesOf('13800138000'), '01,0301,110101,180101')).toBe(true)
    expect(holdsPermission(codesOf('13800138001'), '1001,1101,1103')).toBe(true)
    expect(holdsPermission(codesOf('13800138001'), '110101||06||030601||180101')).toBe(false)
    expect(holdsPermission(codesOf('13800138004'), '0301||030101||0302')).toBe(false)
    expect(holdsPermission(codesOf('13800138005'), '03||09||financial')).toBe(false)
  })

  it('show every branch of the rule for finance pages', async () => {
    const { handlers } = createFinance(kit)
    const left = async (phone: string) => {
      const login = demoLogins.find((candidate) => candidate.phone === phone)
      const agentId = login?.agentId ?? 0
      const call = sessionCall({ operatorId: 1, agentId, grant: { agentIds: [agentId], areaIds: [] } })
      const { data } = await handlers.accountInfo({}, call)
      const held = applyFinancialStatus([...codesOf(phone)], data)
      return { level: data.accountLevel, pages: held.filter((code) => code.startsWith('financial_')).length }
    }
    expect(await left('13800138000')).toEqual({ level: null, pages: 6 })
    expect(await left('13800138001')).toEqual({ level: 2, pages: 6 })
    expect(await left('13800138006')).toEqual({ level: null, pages: 1 })
    expect(await left('13800138003')).toEqual({ level: 1, pages: 4 })
  })

  it('give whoever works in the streets one area of the own franchisee', async () => {
    const rows = await owner
      .selectFrom('operator')
      .innerJoin('operator_area', 'operator_area.operator_id', 'operator.id')
      .innerJoin('service_area', 'service_area.id', 'operator_area.area_id')
      .select(['operator.name', 'operator.all_areas', 'service_area.name as area', 'service_area.agent_id'])
      .execute()
    expect(rows).toContainEqual({ name: '陆小川', all_areas: false, area: '老城服务区', agent_id: 3 })
    expect(rows).toHaveLength(1 + demoWorkers.length)
    for (const { agent_id: agentId, area } of rows)
      expect(demoServiceAreas.find(({ name }) => name === area)?.agentId).toBe(agentId)
  })
})

/** Counts how often a line to the east crosses the ring. */
function isInside(ring: readonly (readonly [number, number])[], point: { lat: number; lng: number }): boolean {
  return ring.reduce((inside, [lng, lat], index) => {
    const [nextLng, nextLat] = ring[(index + 1) % ring.length] ?? [lng, lat]
    const crosses = lat > point.lat !== nextLat > point.lat
    return crosses && point.lng < ((nextLng - lng) * (point.lat - lat)) / (nextLat - lat) + lng ? !inside : inside
  }, false)
}
