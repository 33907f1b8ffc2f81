import { operatorLevels } from '@saddle/contract/constants.ts'
import { permissionCodes, type Permission } from '@saddle/contract/permissions.ts'
import { createAudit } from '#audit/public.ts'
import { createFinance } from '#finance/public.ts'
import { createFleet } from '#fleet/public.ts'
import { createIdentity } from '#identity/public.ts'
import type { Kit } from '#kit/kit.ts'
import { createOrganisation } from '#organisation/public.ts'
import { createSupport } from '#support/public.ts'

/** One franchisee with two areas, people, vehicles and words; every text of it holds its marker. */
export interface TenantFixture {
  readonly marker: string
  readonly agentId: number
  readonly areaIds: readonly [number, number]
  readonly vehicleIds: readonly [number, number]
  readonly vehicleNumber: string
  readonly imei: string
  readonly conversationId: number
  /** Commands that were given together, one to each vehicle. */
  readonly batchId: string
  /** Holds every code and all areas. */
  readonly manager: string
  /** Holds every code, but only the first area. */
  readonly worker: string
  /** Holds no code. */
  readonly bare: string
}

export const rootPhone = '13900000000'

interface Plan {
  readonly agentId: number
  readonly marker: string
  readonly phoneStem: string
}

const plans: readonly Plan[] = [
  { agentId: 3, marker: 'TENANTALPHA', phoneStem: '1390000001' },
  { agentId: 4, marker: 'TENANTBRAVO', phoneStem: '1390000002' },
]

/** The platform (agent 2) with one administrator, and two franchisees below it that must not see each other. */
export async function seedTenants(kit: Kit): Promise<readonly [TenantFixture, TenantFixture]> {
  const audit = createAudit(kit)
  const organisation = createOrganisation(kit)
  const identity = await createIdentity(kit, { audit })
  const codes: readonly Permission[] = permissionCodes.filter((code) => code !== 'all')
  const ring = [
    [120, 31],
    [120.1, 31],
    [120.1, 31.1],
    [120, 31],
  ] as const
  await kit.db.system(async (tx) => {
    await organisation.addAgent(tx, { id: 2, parentId: null, company: 'Platform' })
    const roleId = await organisation.addRole(tx, { agentId: 2, name: 'Platform', codes })
    await identity.createOperator(tx, {
      agentId: 2,
      phone: rootPhone,
      name: 'Root',
      level: operatorLevels.admin,
      roleId,
    })
  })
  const addTenant = async (plan: Plan): Promise<TenantFixture> => {
    const { agentId, marker, phoneStem } = plan
    const phones = { manager: `${phoneStem}0`, worker: `${phoneStem}1`, bare: `${phoneStem}2` }
    const seeded = await kit.db.system(async (tx) => {
      await organisation.addAgent(tx, { id: agentId, parentId: 2, company: `${marker} company` })
      const first = await organisation.addArea(tx, { agentId, name: `${marker} area 1`, ring })
      const second = await organisation.addArea(tx, { agentId, name: `${marker} area 2`, ring })
      const roleId = await organisation.addRole(tx, { agentId, name: `${marker} role`, codes })
      const bareRoleId = await organisation.addRole(tx, { agentId, name: `${marker} bare`, codes: [] })
      const base = { agentId, level: operatorLevels.operator }
      const managerId = await identity.createOperator(tx, {
        ...base,
        phone: phones.manager,
        name: `${marker} manager`,
        roleId,
      })
      await identity.createOperator(tx, {
        ...base,
        phone: phones.worker,
        name: `${marker} worker`,
        roleId,
        areaIds: [first],
      })
      await identity.createOperator(tx, { ...base, phone: phones.bare, name: `${marker} bare`, roleId: bareRoleId })
      await createFinance(kit).saveAccount(tx, {
        agentId,
        status: 2,
        accountLevel: 2,
        authStatus: 1,
        accountType: 'company',
        customerName: `${marker} customer`,
        name: `${marker} account`,
      })
      const vehicleIds = await createFleet(kit, { audit }).vehicles.register(
        tx,
        [first, second].map((areaId, index) => ({
          agentId,
          areaId,
          number: `${marker}${index}`,
          imei: `8600000000${agentId}000${index}`,
          model: 'test',
          position: { lat: 31.05, lng: 120.05 },
        })),
      )
      const batchId = `00000000-0000-4000-8000-00000000000${agentId}`
      const at = new Date(kit.clock.now())
      await tx
        .insertInto('vehicle_command')
        .values(
          vehicleIds.map((vehicleId, index) => ({
            vehicle_id: vehicleId,
            agent_id: agentId,
            area_id: index === 0 ? first : second,
            kind: 'ring',
            state: 'confirmed',
            reason: `${marker} reason`,
            operator_id: managerId,
            operator_name: `${marker} manager`,
            batch_id: batchId,
            queued_at: at,
            expires_at: at,
            finished_at: at,
          })),
        )
        .execute()
      return { areaIds: [first, second] as const, vehicleIds, managerId, batchId }
    })
    const author = { operatorId: seeded.managerId, agentId, name: `${marker} manager` }
    const message = await createSupport(kit, { organisation }).talk.say(author, `${marker} asks`)
    const [firstVehicle = 0, secondVehicle = 0] = seeded.vehicleIds
    return {
      ...phones,
      marker,
      agentId,
      areaIds: seeded.areaIds,
      vehicleIds: [firstVehicle, secondVehicle],
      vehicleNumber: `${marker}0`,
      imei: `8600000000${agentId}0000`,
      conversationId: message.conversationId,
      batchId: seeded.batchId,
    }
  }
  const [alpha, bravo] = plans
  if (alpha === undefined || bravo === undefined) throw new Error('two tenants are planned')
  const tenants = [await addTenant(alpha), await addTenant(bravo)] as const
  await identity.close()
  return tenants
}
