import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createSeededRandom } from '#kit/random.ts'
import { couponsThatDisagree } from '../coupons/verify.ts'
import { campaignWorld } from './campaigns.fixture.ts'

const world = await campaignWorld()
const { db, owner, url, kit, agentId, clerk, handlers, segment, campaign, act, manyRiders, create, found } = world
const script = fileURLToPath(new URL('killed.fixture.ts', import.meta.url))
const riders = 2_000
const perChunk = 100
const killsMax = 3

it.each([1, 2])(
  'with seed %i a process that is killed while it sends leaves nothing undone or twice',
  async (seed) => {
    await handlers.setMarketingSetting({ agentId, setting: { controlPercent: 0, weeklyMax: null } }, clerk)
    await manyRiders(riders)
    const templateId = await create()
    const id = await campaign({ segmentId: await segment(), channel: 'coupon', templateId, holdoutPercent: 10 })
    await act(id, 'start')
    const { fraction } = createSeededRandom(seed)
    let kills = 0
    for (let round = 0; round <= killsMax; round += 1) {
      const child = spawn(
        process.execPath,
        ['--disable-warning=ExperimentalWarning', script, url, String(id), String(kit.clock.now()), String(perChunk)],
        {
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      )
      const ended = once(child, 'exit')
      const { sent } = await found(id)
      const killAt = sent + Math.floor(fraction() * (riders / killsMax / 2))
      for (;;) {
        if (round === killsMax || child.exitCode !== null || child.signalCode !== null) break
        const now = await found(id)
        if (now.sent > killAt || now.state === 'done') {
          if (child.kill('SIGKILL')) kills += 1
          break
        }
      }
      await ended
    }
    expect(kills).toBeGreaterThan(0)
    const done = await found(id)
    expect(done).toMatchObject({ state: 'done', audience: done.sent + done.heldOut })
    const { rows } = await sql<{ coupons: number; riders: number; reached: number }>`
    select (select count(*) from coupon where template_id = ${templateId}) as coupons,
      (select count(distinct rider_id) from coupon where template_id = ${templateId}) as riders,
      (select count(*) from campaign_rider where campaign_id = ${id}) as reached`.execute(owner)
    expect(rows[0]).toEqual({ coupons: done.sent, riders: done.sent, reached: done.audience })
    expect(await couponsThatDisagree(db)).toEqual([])
  },
  120_000,
)
