import { describe, expect, it } from 'vitest'
import { dayMs } from '@saddle/contract/time.ts'
import { createSeededRandom } from '#kit/random.ts'
import { activityWorld } from './activities.fixture.ts'
import { giveBackBudget, takeBudget } from './budget.ts'
import { thorough } from '../../../../../scripts/lib/thorough.mjs'

const world = await activityWorld()
const { db, kit, agentId, newRiders, shareTelephone, start, activity } = world

let causes = 0
const take = (activityId: number, riderId: number, { cents = 200, at = kit.clock.now(), id = (causes += 1) } = {}) =>
  db.system((tx) =>
    takeBudget(tx, { activityId, agentId, riderId, cents, at: new Date(at), cause: { kind: 'ride', id } }),
  )
const giveBack = (id: number) =>
  db.system((tx) => giveBackBudget(tx, { agentId, cause: { kind: 'ride', id }, at: new Date(kit.clock.now()) }))

const mixed = <T>(list: readonly T[], seed: number): T[] => {
  const { fraction } = createSeededRandom(seed)
  return list
    .map((value) => ({ value, rank: fraction() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ value }) => value)
}
const count = <T>(answers: readonly T[]): Map<T, number> => {
  const counts = new Map<T, number>()
  for (const answer of answers) counts.set(answer, (counts.get(answer) ?? 0) + 1)
  return counts
}

/** SEEDS says how many, such as 1000 by hand (about 4 minutes). */
const seeds = Number(process.env['SEEDS'] ?? thorough({ normal: 3, long: 60, full: 200 }))
const { riderIds } = await newRiders(200)

describe.each(Array.from({ length: seeds }, (_, index) => index + 1))('with seed %i', (seed) => {
  it('200 claims at once on a budget for 50 take it 50 times, and all others hear why', async () => {
    const id = await start({ budgetCents: 50 * 200 })
    const answers = count(await Promise.all(mixed(riderIds, seed).map((riderId) => take(id, riderId))))
    expect([answers.get(null), answers.get('budget_spent')]).toEqual([50, 150])
    expect(await activity(id)).toMatchObject({ shown: 'dry', usedCents: 10_000, uses: 50, riders: 50 })
  })

  it('50 uses at once of a limit of one a rider take one', async () => {
    const id = await start({ riderUses: 1 })
    const [riderId] = mixed(riderIds, seed)
    const answers = count(await Promise.all(Array.from({ length: 50 }, () => take(id, riderId!))))
    expect([answers.get(null), answers.get('rider_cap')]).toEqual([1, 49])
    expect(await activity(id)).toMatchObject({ shown: 'on', usedCents: 200, uses: 1, riders: 1 })
  })
})

it('a number of uses, uses of a day and uses of a cause are kept when many ask at once', async () => {
  const byUses = await start({ budgetUses: 50 })
  expect(count(await Promise.all(riderIds.map((riderId) => take(byUses, riderId)))).get(null)).toBe(50)
  expect(await activity(byUses)).toMatchObject({ shown: 'dry', uses: 50 })
  const byDay = await start({ riderDayUses: 2 })
  const [riderId = 0] = riderIds
  const now = kit.clock.now()
  const asked = [now, now + dayMs].flatMap((at) => Array.from({ length: 10 }, () => take(byDay, riderId, { at })))
  const answers = count(await Promise.all(asked))
  expect([answers.get(null), answers.get('rider_day_cap')]).toEqual([4, 16])
  const once = await start()
  await Promise.all(Array.from({ length: 10 }, () => take(once, riderId, { id: 900_001 })))
  expect(await activity(once)).toMatchObject({ uses: 1, usedCents: 200 })
})

it('riders on one telephone share what it may take, also when all ask at once', async () => {
  const [one = 0, two = 0, three = 0, other = 0] = riderIds
  await shareTelephone([one, two, three], 'races')
  const id = await start({ deviceUses: 2 })
  const asked = Array.from({ length: 5 }, () => [one, two, three, other]).flat()
  const answers = count(await Promise.all(asked.map((riderId) => take(id, riderId))))
  expect([answers.get(null), answers.get('device_cap')]).toEqual([7, 13])
  expect(await activity(id)).toMatchObject({ uses: 7 })
})

it('a use is given back once, and starts an activity again that its budget had stopped', async () => {
  const id = await start({ budgetCents: 400 })
  const [one = 0, other = 0] = riderIds
  await take(id, one, { id: 900_101 })
  expect(await activity(id)).toMatchObject({ shown: 'on', warnedAt: null })
  await take(id, other, { id: 900_102 })
  expect(await activity(id)).toMatchObject({ shown: 'dry', warnedAt: kit.clock.now(), dryAt: kit.clock.now() })
  expect(await take(id, one)).toBe('budget_spent')
  const back = await Promise.all(Array.from({ length: 8 }, () => giveBack(900_102)))
  expect(back.reduce((sum, part) => sum + part)).toBe(1)
  expect(await activity(id)).toMatchObject({ shown: 'on', warnedAt: null, uses: 1, usedCents: 200, riders: 1 })
  expect(await take(id, other, { id: 900_102 }), 'the same cause may use it again').toBeNull()
})
