import { sql } from 'kysely'
import { inviteTermsSchema, type InviteTerms } from '@saddle/contract/marketing/inviteActivities.ts'
import type { ActivityCommon } from '@saddle/contract/marketing/activities.ts'
import { inviteCodeSchema } from '@saddle/contract/marketing/riderInvites.ts'
import { dayMs, minuteMs } from '@saddle/contract/time.ts'
import { createRiders } from '#rider/public.ts'
import { testActivityCommon } from '#test/activities.ts'
import { testPriceRules } from '#test/rides.ts'
import { marketingWorld } from '../marketing.fixture.ts'

/** The world of coupons, with an invite activity of its first company that gives a coupon to both sides. */
export async function inviteWorld() {
  const world = await marketingWorld()
  const { kit, db, owner, agentId, clerk, app } = world
  const riders = createRiders(kit)
  const { handlers, rewards, facts, invites } = world.marketing
  const templateId = await world.create()
  const coupon = { kind: 'coupon', templateId, count: 1 } as const
  let names = 0
  const inputWith = (common: Partial<ActivityCommon> = {}, terms: Partial<InviteTerms> = {}) => ({
    common: { ...testActivityCommon, name: `邀请 ${names}`, ...common },
    terms: inviteTermsSchema.parse({ inviterRewards: [coupon], invitedRewards: [coupon], ...terms }),
  })
  const start = async (common: Partial<ActivityCommon> = {}, terms: Partial<InviteTerms> = {}) => {
    names += 1
    await owner.updateTable('activity').set({ state: 'ended' }).where('kind', '=', 'invite').execute()
    const { id } = (await handlers.createInviteActivity({ agentId, ...inputWith(common, terms) }, clerk)).data
    await handlers.switchInviteActivity({ id, state: 'on' }, clerk)
    return id
  }
  const { rows: vehicles } = await sql<{ id: number }>`
    insert into vehicle (agent_id, area_id, number, model, protocol, state, state_changed_at, created_at)
    values (${agentId}, 31, 'INV1', 'x', 'omni', 'available', now(), now()) returning id`.execute(owner)
  const vehicleId = vehicles[0]?.id ?? 0
  const { id: priceId } = await owner
    .insertInto('price_version')
    .values({
      agent_id: agentId,
      area_id: 31,
      name: 'price',
      rules: JSON.stringify(testPriceRules),
      valid_from: new Date(kit.clock.now() - 60 * dayMs),
      author_name: 'x',
      created_at: new Date(kit.clock.now() - 60 * dayMs),
    })
    .returning('id')
    .executeTakeFirstOrThrow()

  type Ride = { readonly minutes?: number; readonly metres?: number; readonly cents?: number }
  /** A ride of the rider that has just ended and is paid. */
  const ride = async (riderId: number, { minutes = 12, metres = 2_000, cents = 200 }: Ride = {}) => {
    const endedAt = new Date(kit.clock.now())
    const startedAt = new Date(endedAt.getTime() - minutes * minuteMs)
    const { id } = await owner
      .insertInto('ride_order')
      .values({
        agent_id: agentId,
        area_id: 31,
        vehicle_id: vehicleId,
        vehicle_number: 'INV1',
        rider_id: riderId,
        state: 'paid',
        placed_at: startedAt,
        started_at: startedAt,
        ended_at: endedAt,
        distance_m: metres,
        price_version_id: priceId,
        return_kind: 'in_place',
        charged_cents: cents,
        changed_at: endedAt,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }
  const refund = (orderId: number) =>
    owner
      .updateTable('ride_order')
      .set({ state: 'refunded', refunded_cents: sql`charged_cents`, changed_at: new Date(kit.clock.now()) })
      .where('id', '=', orderId)
      .execute()
  /** What the worker does: facts, due rewards, invites. */
  const work = async () => {
    await facts.run()
    await rewards.giveDue()
    await invites.sweep()
  }
  const codeOf = async (phone: string) => {
    const { code } = (await handlers.riderOwnInvites({ phone }, app)).data
    if (code === null) throw new Error('there is no code')
    return code
  }
  const phoneNamed = (id: string) => ({ id, model: 'x', system: 'y', appVersion: '1' })
  const bind = async (phone: string, code: string, device?: string) => {
    const own = device === undefined ? {} : { device: phoneNamed(device) }
    return (await handlers.riderBindInvite({ phone, code: inviteCodeSchema.parse(code), ...own }, app)).data
  }
  const open = (riderId: number, device: string) =>
    db.system((tx) => riders.noteDevice(tx, { riderId, agentId, appId: 1, device: phoneNamed(device) }))
  const inviteOf = async (riderId: number) => {
    const { data } = await handlers.listInvites({ filter: { riderId }, sort: 'bound', pageSize: 20 }, clerk)
    const own = data.list.find(({ invitedId }) => invitedId === riderId)
    if (own === undefined) throw new Error(`nobody brought ${riderId}`)
    return own
  }
  /** Somebody with a code and a new rider who named it. */
  const pair = async () => {
    const { phones, riderIds } = await world.newRiders(2)
    const [inviterPhone = '', invitedPhone = ''] = phones
    const [inviterId = 0, invitedId = 0] = riderIds
    await bind(invitedPhone, await codeOf(inviterPhone))
    return { inviterPhone, invitedPhone, inviterId, invitedId }
  }
  await sql`
    insert into rider_app (id, agent_id, name, key_hash, created_at) overriding system value
    values (1, ${agentId}, 'app', 'key', now())`.execute(owner)
  return {
    ...world,
    handlers,
    invites,
    facts,
    rewards,
    inputWith,
    start,
    ride,
    refund,
    work,
    codeOf,
    bind,
    open,
    inviteOf,
    pair,
  }
}
