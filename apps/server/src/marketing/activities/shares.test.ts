import { expect, it } from 'vitest'
import { minuteMs } from '@saddle/contract/time.ts'
import { activityWorld } from './activities.fixture.ts'
import { takeBudget } from './budget.ts'
import { giveBackShare, takeShare } from './shares.ts'

const world = await activityWorld()
const { db, kit, agentId, newRiders, start, owner } = world

it('tells of each mark of a budget that a part of a use reaches, once', async () => {
  const activityId = await start({ budgetCents: 1_000 })
  const { riderIds } = await newRiders(1)
  const [riderId = 0] = riderIds
  const use = (cents: number) => {
    kit.clock.advance(minuteMs)
    const at = new Date(kit.clock.now())
    return { activityId, agentId, riderId, cents, at, cause: { kind: 'ride', id: 7 } }
  }
  const told = async (): Promise<string[]> => {
    const rows = await owner
      .selectFrom('notice')
      .select('event')
      .where('subject', '=', `activity ${activityId}`)
      .orderBy('id')
      .execute()
    return rows.map(({ event }) => event)
  }
  await db.system((tx) => takeBudget(tx, use(500)))
  expect(await told()).toEqual([])
  expect(await db.system((tx) => takeShare(tx, use(350)))).toBeNull()
  expect(await told()).toEqual(['budget_low'])
  expect(await db.system((tx) => takeShare(tx, use(50)))).toBeNull()
  expect(await told()).toEqual(['budget_low'])
  expect(await db.system((tx) => takeShare(tx, use(100)))).toBeNull()
  expect(await told()).toEqual(['budget_low', 'budget_dry'])
  await db.system((tx) => giveBackShare(tx, use(100)))
  expect(await told()).toEqual(['budget_low', 'budget_dry'])
})
