import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { adContentSchema } from '@saddle/contract/marketing/ads.ts'
import { hourMs, minuteMs } from '@saddle/contract/time.ts'
import type { FleetVehicle } from '@saddle/simulator/src/fleet/fleet.ts'
import type { Life } from '@saddle/simulator/src/life/life.ts'
import type { Ride } from '@saddle/simulator/src/life/ride.ts'
import { createRiderApi } from '@saddle/simulator/src/riders/api.ts'
import { createMarketing } from '@saddle/simulator/src/riders/marketing/marketing.ts'
import { createStepTimer } from '@saddle/simulator/src/riders/stepTimer.ts'
import { afterAll, expect, test } from 'vitest'
import { openSite } from './browser.ts'

const site = openSite()
const folder = mkdtempSync(join(tmpdir(), 'saddle-riders-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const agentId = 3
const rides = 240

const counted = async (statement: string): Promise<number> => Number((await site.server.query(statement))[0]?.['count'])

async function startActivity(kind: 'invite' | 'recharge', terms: object): Promise<void> {
  const common = JSON.stringify({ name: kind, startsAt: 0, endsAt: null })
  await site.server.query(`
    with made as (
      insert into activity (agent_id, kind, name, state, starts_at, bearer, created_at, changed_at, changed_by)
      values (${agentId}, '${kind}', '${kind}', 'on', 'epoch', 'company', now(), now(), '周可') returning id)
    insert into activity_version (activity_id, version, agent_id, common, terms, made_at, made_by)
    select id, 1, ${agentId}, '${common}', '${JSON.stringify(terms)}', now(), '周可' from made`)
}

async function startAd(): Promise<void> {
  const content = adContentSchema.parse({
    name: '横幅',
    text: '周卡上新',
    textEn: 'Weekly cards',
    link: { to: 'page', page: 'wallet' },
    startsAt: 0,
    endsAt: null,
  })
  await site.server.query(`
    with made as (
      insert into ad_placement (agent_id, slot, name, state, starts_at, created_at, changed_at, changed_by)
      values (${agentId}, 'banner', '横幅', 'on', 'epoch', now(), now(), '周可') returning id)
    insert into ad_version (placement_id, version, agent_id, content, made_at, made_by)
    select id, 1, ${agentId}, '${JSON.stringify(content)}', now(), '周可' from made`)
}

test('simulated riders use ads, offers and invites by the calls of the real server', async () => {
  const keyFile = join(folder, 'key.json')
  writeFileSync(keyFile, JSON.stringify({ key: site.server.riderKey() }))
  const { server } = site
  const gift = { kind: 'gift', cents: 300, validDays: 30 }
  await startActivity('invite', { inviterRewards: [gift], invitedRewards: [gift] })
  const tiers = [2_000, 5_000].map((payCents) => ({ payCents, giftCents: payCents / 4, giftDays: 30, rewards: [] }))
  await startActivity('recharge', { tiers, firstOnly: false })
  await startAd()
  const eventsBefore = await counted('select count(*) from ad_event')

  const startMs = Date.now() - 12 * hourMs
  const timer = createStepTimer(startMs)
  const life = { nowMs: startMs, appRides: { comeAgain: () => {} } } as unknown as Life
  const marketing = createMarketing({ api: createRiderApi({ url: server.url, keyFile }), life, timer, seed: 11 })
  const vehicle = { number: 'SD100002', areaIndex: 1 } as unknown as FleetVehicle
  for (let number = 1; number <= rides; number++) {
    const nowMs = startMs + number * minuteMs
    timer.tick(nowMs)
    const ride = { number, startMs: nowMs, endMs: nowMs + 10 * minuteMs, lengthM: 2_000 } as Ride
    // Number 7 cheats, and rides often.
    const rider = number % 12 === 0 ? 7 : number % 120
    const customer = marketing.customer({ vehicle, ride, agentId, rider })
    if ((await customer.before()) !== null) await customer.after()
  }

  const { refused, ...counts } = marketing.counts
  for (const code of ['bad_request', 'unknown_field', 'unauthorized', 'away', 'not_found', 'foreign_scope'])
    expect(refused.get(code), code).toBeUndefined()
  expect(counts.opened).toBeGreaterThan(100)
  expect(counts.seen).toBeGreaterThan(50)
  expect(counts.offersTaken).toBeGreaterThan(0)
  expect(counts.invited).toBeGreaterThan(0)
  expect(await counted('select count(*) from ad_event')).toBe(eventsBefore + counts.seen + counts.tapped)
  expect(await counted(`select count(*) from recharge_use where state = 'given'`)).toBe(counts.offersTaken)
  expect(await counted(`select count(*) from payment where purpose = 'recharge' and state = 'paid'`)).toBe(
    counts.recharged,
  )
  expect(await counted('select count(*) from invite')).toBe(counts.invited + counts.cheated)
  for (const reason of ['device', 'cycle'])
    expect(await counted(`select count(*) from invite where reason = '${reason}'`), reason).toBeGreaterThan(0)
})
