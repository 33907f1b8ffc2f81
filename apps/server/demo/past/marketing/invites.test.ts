import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { dayMs, hourMs } from '@saddle/contract/time.ts'
import { inviteWorld } from '#marketing/invites/invites.fixture.ts'
import { createRiders } from '#rider/public.ts'
import { fillInvites } from './invites.ts'

const world = await inviteWorld()
const { kit, db, owner, agentId, ride, refund } = world
const riders = createRiders(kit)
let people = 0
const join = (count: number) =>
  db.system((tx) =>
    riders.ensure(
      tx,
      Array.from({ length: count }, () => ({
        agentId,
        phone: `1390099${String(people++).padStart(4, '0')}`,
        name: '王伟',
      })),
    ),
  )

it('writes invites in every state, some levels deep, once and in their own time', async () => {
  const old = await join(6)
  for (const riderId of old) await ride(riderId)
  kit.clock.advance(40 * dayMs)
  for (let half = 0; half < 60; half += 1) {
    for (const riderId of await join(2)) await ride(riderId)
    kit.clock.advance(dayMs / 2)
  }
  for (const riderId of await join(6)) await ride(riderId)
  kit.clock.advance(hourMs)
  await world.facts.run()
  const domains = {
    marketing: world.marketing,
    finance: world.finance,
    refund: async ({ orderId }: { readonly orderId: number }) => refund(orderId),
    people: new Map([['13800138000', { operatorId: 1, agentId: 2, name: '林晓雯' }]]),
  }
  expect(await fillInvites(kit, domains)).toBeGreaterThan(30)
  expect(await fillInvites(kit, domains)).toBe(0)
  const { rows } = await sql<{ state: string; reason: string | null; depth: number; count: number }>`
    select state, reason, depth, count(*)::int as count from invite group by 1, 2, 3`.execute(owner)
  expect(new Set(rows.map(({ state }) => state))).toEqual(
    new Set(['registered', 'pending', 'rewarded', 'refused', 'reversed']),
  )
  const reasons = new Set(rows.map(({ reason }) => reason))
  for (const reason of ['device', 'cycle', 'late', 'held_out', 'inviter_cap', 'staff', 'refund']) {
    expect(reasons, reason).toContain(reason)
  }
  expect(Math.max(...rows.map(({ depth }) => depth))).toBeGreaterThan(2)
  const { rows: late } = await sql<{ count: number }>`
    select count(*)::int as count from invite
    where greatest(bound_at, ended_at, decided_at) > ${new Date(kit.clock.now())}`.execute(owner)
  expect(late[0]?.count, 'some are of the future').toBe(0)
  const { rows: states } = await sql<{ state: string }>`
    select state from activity where kind = 'invite' and agent_id = ${agentId} order by id`.execute(owner)
  expect(states.map(({ state }) => state)).toEqual(['on', 'paused', 'on', 'on', 'draft'])
})
