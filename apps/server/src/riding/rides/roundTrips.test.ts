import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ridingTermsSchema } from '@saddle/contract/marketing/ridingActivities.ts'
import { minuteMs as minute } from '@saddle/contract/time.ts'
import { createAudit } from '#audit/public.ts'
import { createMarketing } from '#marketing/public.ts'
import { createRiders } from '#rider/public.ts'
import { testActivityCommon } from '#test/activities.ts'
import { ridesByApp } from './rides.fixture.ts'

const { app, finance, first, handlers, kit, obey, one, operator, owner, phone, report, riding } = await ridesByApp()
const marketing = createMarketing(kit, {
  audit: createAudit(kit),
  finance,
  riders: createRiders(kit),
  riding,
}).handlers

/** Set inside the work that is counted: timers of other tests in this process query the database too. */
const counted = new AsyncLocalStorage<true>()

/** What some work sends to the database, each time waiting for the answer. */
async function roundTrips(work: () => Promise<unknown>): Promise<string[]> {
  const sent: string[] = []
  const query = pg.Client.prototype.query
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    if (counted.getStore() === true) sent.push(typeof args[0] === 'string' ? args[0] : 'statement')
    return Reflect.apply(query, this, args)
  })
  await counted.run(true, work)
  spy.mockRestore()
  return sent
}

async function begin(): Promise<number> {
  const { orderId } = (await handlers.unlockRide(first, app)).data
  await obey(one)
  kit.clock.advance(20 * minute)
  return orderId
}

/** The vehicle has locked itself; the next sweep ends the ride. */
async function lock(): Promise<void> {
  await report(one, { locked: true })
  const confirmed = { state: 'confirmed', finished_at: new Date(kit.clock.now()) }
  await owner.updateTable('vehicle_command').set(confirmed).where('vehicle_id', '=', one).execute()
}

async function endAndCharge(): Promise<{ ended: string[]; charged: string[]; chargedCents: number | null }> {
  const orderId = await begin()
  const ended = await roundTrips(() => handlers.endRide({ phone, orderId }, app))
  await lock()
  const charged = await roundTrips(() => riding.sweep())
  const { data } = await handlers.readRide({ phone, orderId }, app)
  return { ended, charged, chargedCents: data.chargedCents }
}

afterEach(() => vi.restoreAllMocks())

describe('round trips to the database', () => {
  it('are 11 when a rider asks to end a ride, and 17 when it is charged without benefits', async () => {
    // Begin, ride, place, changed fences, the area and its fences (forgotten after minutes without a question), price,
    // command, ride, commit, and the ride that is answered.
    // Sweep, begin, ride, facts, place, changed fences, price, past, check, cards, coupons, activities, lines, lots,
    // balance, end, commit.
    const { ended, charged, chargedCents } = await endAndCharge()
    expect(ended, ended.join('\n')).toHaveLength(11)
    expect(charged, charged.join('\n')).toHaveLength(17)
    expect(chargedCents).toBe(300)
  })

  it('are 5 more when an activity lowers the charge', async () => {
    const { data } = await marketing.createRidingActivity(
      {
        agentId: 3,
        common: { ...testActivityCommon, name: '每单减一元', budgetCents: 100_000 },
        terms: ridingTermsSchema.parse({ effect: { off: 'cents', cents: 100 } }),
      },
      operator,
    )
    await marketing.switchRidingActivity({ id: data.id, state: 'on' }, operator)
    // Savepoint, rider, limits, the use with its budget, release.
    const { ended, charged, chargedCents } = await endAndCharge()
    expect(ended, ended.join('\n')).toHaveLength(11)
    expect(charged, charged.join('\n')).toHaveLength(22)
    expect(chargedCents).toBe(200)
  })
})
