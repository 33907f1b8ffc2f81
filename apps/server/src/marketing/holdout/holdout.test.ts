import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { holdoutBucket, holdoutKey, isControl, isHeldOut } from '@saddle/contract/marketing/holdout.ts'
import { testDatabase } from '#test/database.ts'
import { isWithheld } from './holdout.ts'

const { db, owner } = await testDatabase()
const riders = Array.from({ length: 20_000 }, (_, index) => 1_001 + index)
const shareOf = (matches: (riderId: number) => boolean): number => riders.filter(matches).length / riders.length

it('the database computes the same bucket', async () => {
  const ids = [...riders.slice(0, 2_000), 2 ** 32 - 1, 2 ** 32, 2 ** 40 + 7, Number.MAX_SAFE_INTEGER]
  for (const of of ['activity', 'campaign', 'control'] as const) {
    const key = holdoutKey({ agentId: 3, id: 1_001, of })
    const { rows } = await sql<{ bucket: number }>`
      select holdout_bucket(${key}, r.id) as bucket from unnest(${ids}::bigint[]) with ordinality r (id, at)
      order by r.at`.execute(owner)
    expect(rows.map(({ bucket }) => bucket)).toEqual(ids.map((id) => holdoutBucket(key, id)))
  }
})

it('holds out as many as asked, at random and the same ones every time', () => {
  const held = (id: number, percent: number) => (riderId: number) => isHeldOut({ agentId: 3, id, percent, riderId })
  expect(shareOf(held(1, 0))).toBe(0)
  for (const percent of [1, 10, 50]) {
    for (const id of [1, 2, 1_001]) expect(shareOf(held(id, percent))).toBeCloseTo(percent / 100, 1)
  }
  expect(
    shareOf((riderId) => held(1, 10)(riderId) && !held(1, 20)(riderId)),
    'more is a larger group',
  ).toBe(0)
  const both = shareOf((riderId) => held(1, 50)(riderId) && held(2, 50)(riderId))
  expect(both, 'two activities choose independently').toBeCloseTo(0.25, 1)
  const neighbours = shareOf((riderId) => held(1, 50)(riderId) === held(1, 50)(riderId + 1))
  expect(neighbours, 'riders who registered after each other too').toBeCloseTo(0.5, 1)
  const inCampaign = (riderId: number) => isHeldOut({ agentId: 3, id: 1, of: 'campaign', percent: 50, riderId })
  expect(shareOf((riderId) => inCampaign(riderId) === held(1, 50)(riderId))).toBeCloseTo(0.5, 1)
})

it('the control group of a company is withheld from every activity', async () => {
  await owner.insertInto('agent').values({ id: 3, company: '城北' }).execute()
  const withheld = (riderId: number) => db.system((tx) => isWithheld(tx, { agentId: 3, id: 1, percent: 10, riderId }))
  const control = riders.find(
    (riderId) =>
      isControl({ agentId: 3, percent: 5, riderId }) && !isHeldOut({ agentId: 3, id: 1, percent: 10, riderId }),
  )
  expect(await withheld(control!), 'no company has one by itself').toBe(false)
  await owner
    .insertInto('marketing_setting')
    .values({ agent_id: 3, control_percent: 5, changed_at: new Date(0), changed_by: '周可' })
    .execute()
  expect(await withheld(control!)).toBe(true)
  expect(await withheld(riders.find((riderId) => isHeldOut({ agentId: 3, id: 1, percent: 10, riderId }))!)).toBe(true)
})
