import { operatorLevels } from '@saddle/contract/constants.ts'
import { permissionCodes, type Permission } from '@saddle/contract/permissions.ts'
import { createAudit } from '#audit/public.ts'
import { createFinance } from '#finance/public.ts'
import { createFleet } from '#fleet/public.ts'
import { createIdentity } from '#identity/public.ts'
import type { Kit } from '#kit/kit.ts'
import { createOrganisation, createPeople } from '#organisation/public.ts'
import { createSupport } from '#support/public.ts'
import { addTickets } from '#test/tickets.ts'
import { addActivity } from '#test/activities.ts'
import { addContent, type ContentThings } from '#test/content.ts'
import { addCampaigns, type CampaignThings } from '#test/campaigns.ts'
import { addCoupons, type CouponThings } from '#test/coupons.ts'
import { addFactoryTests, factoryInSecondArea, type FactoryThings } from '#test/factoryTests.ts'
import { addUpgrades, upgradesInSecondArea, type UpgradeThings } from '#test/upgrades.ts'
import { addRewards, type RewardThings } from '#test/rewards.ts'
import { addRechargeActivity } from '#test/recharges.ts'
import { addInvites, type InviteThings } from '#test/invites.ts'
import { addChannelBill, type ChannelBillThings } from '#test/channelBills.ts'
import { addFeeds } from '#test/feeds.ts'
import { addPartnerThings, type PartnerThings } from '#test/partnerKeys.ts'
import { addMds } from '#test/mds.ts'
import { addServiceBill, type ServiceThings } from '#test/serviceBills.ts'
import { addBankThings, type BankThings } from '#test/bank.ts'
import { addInvoice } from '#test/invoices.ts'
import { sessionCall } from '#test/kit.ts'
import { addMoneyThings, type MoneyThings } from '#test/money.ts'
import { addFieldWork } from '#test/fieldWork.ts'
import { addRiderThings, type RiderThings } from '#test/riders.ts'
import { addOrders } from '#test/rides.ts'
import { addLogin, addPast, writeOfEachOther } from '#test/tenantThings.ts'

/** One franchisee with two areas, people, vehicles and words; every text of it holds its marker. */
export interface TenantFixture extends RiderThings {
  readonly marker: string
  readonly agentId: number
  readonly areaIds: readonly [number, number]
  readonly vehicleIds: readonly [number, number]
  readonly vehicleNumber: string
  readonly imei: string
  /** A device that called and is not registered; another one called from the second area. */
  readonly unknownDevice: string
  readonly conversationId: number
  /** Commands that were given together, one to each vehicle. */
  readonly batchId: string
  readonly tripIds: readonly [number, number]
  readonly alarmIds: readonly [number, number]
  readonly repairIds: readonly [number, number]
  /** Reasons and parts of repairs, and applications for parking places, one in each area. */
  readonly reasonId: number
  readonly partId: number
  readonly parkIds: readonly [number, number]
  readonly screeningId: number
  /** A parking place in each area, at its first version. */
  readonly fenceIds: readonly [number, number]
  /** One order of each area, of one rider. */
  readonly orderIds: readonly [number, number]
  readonly riderPhone: string
  /** What the rider has paid. */
  readonly money: MoneyThings
  /** Cards and withdrawals of the company. */
  readonly bank: BankThings
  readonly campaigns: CampaignThings
  readonly coupons: CouponThings
  readonly upgrades: UpgradeThings
  readonly partner: PartnerThings
  readonly factory: FactoryThings
  /** A city's jurisdiction, and the credentials of its program. */
  readonly mds: {
    readonly jurisdictionId: number
    readonly clientId: number
    readonly sparePolicyId: number
    readonly ruleId: number
    readonly takenRuleId: number
  }
  readonly invites: InviteThings
  /** Differences to a bill of a payment channel: one that waits, one that somebody proposed a way for. */
  readonly channelBills: ChannelBillThings
  readonly services: ServiceThings
  /** A riding activity that is paused. */
  readonly ridingActivityId: number
  readonly content: ContentThings
  readonly rewards: RewardThings
  /** A recharge activity that is paused. */
  readonly rechargeActivityId: number
  /** A ticket of each order. */
  readonly ticketIds: readonly [number, number]
  /** A ticket to the platform of each rider's ticket. */
  readonly feedbackIds: readonly [number, number]
  /** Asked for, of the first order. */
  readonly invoiceId: number
  /** A browser of the manager that waits for approval, and a session that nobody holds. */
  readonly deviceId: number
  readonly sessionId: number
  /** A screen on a wall. */
  readonly screenId: number
  /** The operator behind `manager`. */
  readonly managerId: number
  /** A role that holds every code; the manager has it too. */
  readonly roleId: number
  readonly workerId: number
  /** A franchiser, by their number. */
  readonly allyPhone: string
  /** Holds every code and all areas. */
  readonly manager: string
  /** Holds every code, but only the first area. */
  readonly worker: string
  /** Holds every code, and both areas by name. */
  readonly clerk: string
  /** Holds no code. */
  readonly bare: string
}

/** The same tenant with the things of its second area in the places of the first one's. */
export function inSecondArea(of: TenantFixture): TenantFixture {
  const flip = ([first, second]: readonly [number, number]): [number, number] => [second, first]
  return {
    ...of,
    areaIds: flip(of.areaIds),
    vehicleIds: flip(of.vehicleIds),
    vehicleNumber: `${of.vehicleNumber.slice(0, -1)}1`,
    imei: `${of.imei.slice(0, -1)}1`,
    tripIds: flip(of.tripIds),
    alarmIds: flip(of.alarmIds),
    fenceIds: flip(of.fenceIds),
    repairIds: flip(of.repairIds),
    parkIds: flip(of.parkIds),
    orderIds: flip(of.orderIds),
    upgrades: upgradesInSecondArea(of.upgrades),
    factory: factoryInSecondArea(of.factory),
    ticketIds: flip(of.ticketIds),
    feedbackIds: flip(of.feedbackIds),
    money: { ...of.money, actIds: flip(of.money.actIds) },
  }
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
  const people = createPeople({ kit, audit, identity, finance: createFinance(kit) })
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
    // Without it the codes of the finance pages are dropped.
    await createFinance(kit).saveAccount(tx, {
      agentId: 2,
      status: 2,
      accountLevel: 2,
      authStatus: 1,
      accountType: 'company',
      customerName: null,
      name: null,
    })
  })
  const addTenant = async (plan: Plan): Promise<TenantFixture> => {
    const { agentId, marker, phoneStem } = plan
    const phones = { manager: `${phoneStem}0`, worker: `${phoneStem}1`, bare: `${phoneStem}2`, clerk: `${phoneStem}3` }
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
      const workerId = await identity.createOperator(tx, {
        ...base,
        phone: phones.worker,
        name: `${marker} worker`,
        roleId,
        areaIds: [first],
      })
      // Held to both areas by name: whoever has one of them sees that one only.
      await identity.createOperator(tx, {
        ...base,
        phone: phones.clerk,
        name: `${marker} clerk`,
        roleId,
        areaIds: [first, second],
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
          model: `${marker} model`,
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
      for (const [index, vehicleId] of vehicleIds.entries()) {
        const areaId = index === 0 ? first : second
        const act = { operatorId: managerId, action: 'demo.fill', after: { reason: `${marker} reason` } }
        for (const subjectKind of ['vehicle', 'device']) {
          await audit.write(tx, { ...act, agentId, areaId, subjectKind, subjectId: vehicleId })
        }
      }
      await tx
        .insertInto('unknown_device')
        .values(
          [first, second].map((areaId, index) => ({
            imei: `8600000000${agentId}000${9 - index}`,
            protocol: 'mqtt',
            first_seen_at: at,
            last_seen_at: at,
            address: `${marker} address`,
            agent_id: agentId,
            area_id: areaId,
          })),
        )
        .execute()
      const past = await addPast({ tx, agentId, areaIds: [first, second], vehicleIds, managerId, marker, at })
      const work = await addFieldWork({
        tx,
        agentId,
        areaIds: [first, second],
        vehicleIds,
        taskIds: past.repairIds,
        workerId,
        marker,
        at,
      })
      const riderPhone = `1370000000${agentId}`
      const [firstOrder = 0, secondOrder = 0] = await addOrders({
        tx,
        kit,
        agentId,
        areaIds: [first, second],
        vehicleIds,
        marker,
        riderPhone,
        at,
      })
      const invoiceId = await addInvoice({ tx, kit, agentId, orderId: firstOrder, marker, at })
      const tickets = await addTickets({
        tx,
        agentId,
        areaIds: [first, second],
        orderIds: [firstOrder, secondOrder],
        managerId,
        marker,
        at,
      })
      const ridden = { orderIds: [firstOrder, secondOrder] as const, riderPhone }
      const riderThings = await addRiderThings({ tx, kit, agentId, marker, riderPhone, at })
      const { riderId } = riderThings
      const areaIds = [first, second] as const
      const money = await addMoneyThings({ tx, kit, agentId, areaIds, riderId, operatorId: workerId, marker, at })
      const bank = await addBankThings({ tx, kit, agentId, operatorId: workerId, marker, at })
      const coupons = await addCoupons({ tx, agentId, riderId, marker, at })
      const upgrades = await addUpgrades({ tx, agentId, areaIds, vehicleIds, marker, at })
      const factory = await addFactoryTests({ tx, agentId, areaIds, importIds: upgrades.importIds, marker, at })
      await addFeeds({ tx, kit, agentId, areaIds, marker, at })
      const partner = await addPartnerThings({ tx, kit, agentId, marker, at })
      const mds = await addMds({ tx, kit, agentId, vehicleIds, marker, at })
      const services = await addServiceBill({ tx, kit, agentId, areaId: first, marker, at })
      const channelBills = await addChannelBill({ tx, agentId, marker, at })
      const campaigns = await addCampaigns({ tx, agentId, riderId, marker, at })
      const ridingActivityId = await addActivity({ tx, agentId, riderId, orderId: firstOrder, marker, at })
      const content = await addContent({ tx, kit, agentId, areaId: first, riderId, marker, at })
      const { templateId } = coupons
      const rewards = await addRewards({ tx, agentId, riderId, orderId: firstOrder, templateId, marker, at })
      const { paymentId } = money
      const rechargeActivityId = await addRechargeActivity({ tx, agentId, riderId, paymentId, marker, at })
      const invited = { invitedId: riderThings.bannedId, orderId: firstOrder }
      const invites = await addInvites({ tx, agentId, riderId, ...invited, marker, at })
      const login = await addLogin({ tx, agentId, managerId, marker, at })
      return {
        areaIds,
        vehicleIds,
        managerId,
        workerId,
        roleId,
        batchId,
        ...past,
        ...work,
        ...ridden,
        ...tickets,
        invoiceId,
        riderThings,
        ...login,
        money,
        bank,
        campaigns,
        coupons,
        upgrades,
        partner,
        factory,
        mds,
        channelBills,
        services,
        ridingActivityId,
        content,
        rewards,
        rechargeActivityId,
        invites,
      }
    })
    const author = { operatorId: seeded.managerId, agentId, name: `${marker} manager` }
    const message = await createSupport(kit, { organisation }).talk.say(author, `${marker} asks`)
    const manager = { operatorId: seeded.managerId, agentId, grant: { agentIds: [agentId], areaIds: [] } }
    const allyPhone = `1350000000${agentId}`
    const ally = { phone: allyPhone, name: `${marker} ally`, note: '' }
    await people.handlers.createAlly(ally, sessionCall(manager))
    const [firstVehicle = 0, secondVehicle = 0] = seeded.vehicleIds
    const { riderThings, ...things } = seeded
    return {
      ...things,
      ...riderThings,
      ...phones,
      marker,
      agentId,
      vehicleIds: [firstVehicle, secondVehicle],
      vehicleNumber: `${marker}0`,
      imei: `8600000000${agentId}0000`,
      unknownDevice: `8600000000${agentId}0009`,
      conversationId: message.conversationId,
      allyPhone,
    }
  }
  const [alpha, bravo] = plans
  if (alpha === undefined || bravo === undefined) throw new Error('two tenants are planned')
  const tenants = [await addTenant(alpha), await addTenant(bravo)] as const
  await kit.db.system((tx) => writeOfEachOther({ tx, audit, tenants }))
  await identity.close()
  return tenants
}
