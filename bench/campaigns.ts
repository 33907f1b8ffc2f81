/**
 * A coupon for 1,000,000 riders of a segment, beside a plain insert of as many coupons in one statement; and how long the
 * size of a segment takes over as many riders, and the effect of the campaign: `node bench/campaigns.ts [--quick]`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { campaignTermsSchema } from '@saddle/contract/marketing/campaigns.ts'
import { segmentTermsSchema, type SegmentTerms } from '@saddle/contract/marketing/segments.ts'
import { systemClock } from '@saddle/server/kit/clock.ts'
import { migrate } from '@saddle/server/kit/db/migrate.ts'
import { openDatabase } from '@saddle/server/kit/db/pool.ts'
import { silentLog } from '@saddle/server/kit/log.ts'
import { startEmbedded } from '@saddle/server/kit/postgres/embedded.ts'
import { measure } from '@saddle/server/marketing/effects/store.ts'
import { sendChunk } from '@saddle/server/marketing/campaigns/send.ts'
import { makeSpans } from '@saddle/server/marketing/segments/spans.ts'
import { countSegment } from '@saddle/server/marketing/segments/store.ts'
import pg from 'pg'
import { compare, isQuick, judge, say, state, whole } from './lib/report.ts'

const riders = isQuick ? 50_000 : 1_000_000
const goalSeconds = 60
const sizeGoalMs = 1_000
const agentId = 3

const dataDir = mkdtempSync(join(tmpdir(), 'saddle-bench-'))
const postgres = await startEmbedded({ dataDir, log: silentLog })
await migrate({ url: postgres.url, log: silentLog })
const database = new pg.Client({ connectionString: postgres.url })
await database.connect()
const db = openDatabase({ url: postgres.url, log: silentLog })
const run = (text: string, values: unknown[] = []) => database.query<{ id: number }>(text, values)

/** Seconds that something takes. */
async function timed<T>(work: () => Promise<T>): Promise<readonly [number, T]> {
  const begun = performance.now()
  const result = await work()
  return [(performance.now() - begun) / 1_000, result]
}

async function prepare(): Promise<{ templateId: number; segmentId: number }> {
  await run(
    `insert into agent (id, parent_id, company) values (2, null, 'bench'), (3, 2, 'bench 3') on conflict do nothing`,
  )
  await run(`set session_replication_role = replica`)
  await run(
    `insert into rider (agent_id, phone_hash, phone_sealed, created_at, last_active_at)
     select $1, 'bench ' || n, 'sealed', now() - interval '900 days' * random(), now() from generate_series(1, $2) n`,
    [agentId, riders],
  )
  await run(
    `insert into rider_day (rider_id, agent_id, day, last_area_id, rides, cents)
     select r.id, $1, current_date - d, 1, 1 + (r.id + d) % 2, 150
     from rider r cross join generate_series(0, 50, 10) d where r.agent_id = $1 and r.phone_hash like 'bench %'
       and (r.id * 7919 + d) % 3 = 0`,
    [agentId],
  )
  await run(
    `insert into rider_use (rider_id, agent_id, last_ride_at, last_area_id, rides, cents)
     select rider_id, $1, max(day), 1, sum(rides), sum(cents) from rider_day where agent_id = $1 group by rider_id
     on conflict do nothing`,
    [agentId],
  )
  await run(
    `insert into rider_device (agent_id, rider_id, device_hash, model, system, app_version, first_seen_at, last_seen_at)
     select agent_id, id, phone_hash, 'bench', (array['iOS 26.1', 'Android 16', 'HarmonyOS 6'])[1 + id % 3], '1', now(), now()
     from rider where agent_id = $1 and phone_hash like 'bench %'`,
    [agentId],
  )
  await run(
    `insert into rider_tag (rider_id, tag, agent_id, made_at, made_by)
     select id, 'bench', agent_id, now(), 'bench' from rider where agent_id = $1 and id % 4 = 0`,
    [agentId],
  )
  await run(`set session_replication_role = default`)
  const [spans] = await timed(() => makeSpans({ db, clock: systemClock }))
  state(`the sums of ${whole(riders)} riders over their last days, made anew`, `${spans.toFixed(1)} s`)
  await run(`vacuum (analyze) rider, rider_day, rider_use, rider_device, rider_tag`)
  const template = await run(
    `insert into coupon_template (agent_id, name, created_at, changed_at, changed_by)
     values ($1, 'bench', now(), now(), 'bench') returning id`,
    [agentId],
  )
  const templateId = Number(template.rows[0]?.id)
  const terms = { name: 'bench', effect: { off: 'cents', cents: 200 }, fromCents: 0, validDays: 7, validUntil: null }
  await run(
    `insert into coupon_template_version (template_id, version, agent_id, terms, made_at, made_by)
     values ($1, 1, $2, $3, now(), 'bench')`,
    [templateId, agentId, JSON.stringify({ ...couponDefaults, ...terms })],
  )
  const segment = await run(
    `insert into segment (agent_id, name, created_at, changed_at, changed_by)
     values ($1, 'bench', now(), now(), 'bench') returning id`,
    [agentId],
  )
  const segmentId = Number(segment.rows[0]?.id)
  await run(
    `insert into segment_version (segment_id, version, agent_id, terms, made_at, made_by)
     values ($1, 1, $2, $3, now(), 'bench')`,
    [segmentId, agentId, JSON.stringify(segmentTermsSchema.parse({ name: 'bench' }))],
  )
  return { templateId, segmentId }
}

const couponDefaults = {
  conditions: {
    areaIds: [],
    weekdays: [],
    hours: null,
    models: [],
    weathers: [],
    parked: false,
    minMinutes: 0,
    minMetres: 0,
  },
  bearer: 'company',
  alone: false,
}

const { templateId, segmentId } = await prepare()

const asked: Readonly<Record<string, Partial<SegmentTerms>>> = {
  'all riders': {},
  'registered in 30 days': { registeredDays: 30 },
  'idle for 20 days': { ridden: 'ever', idleMin: 20 },
  'never rode': { ridden: 'never' },
  'rode twice in 30 days': { ridesDays: 30, ridesMin: 2 },
  'rode at most once in 90 days': { ridesDays: 90, ridesMax: 1 },
  'spent in 90 days': { spentDays: 90, spentMinCents: 300 },
  'spent, never idle, area': { spentDays: 90, spentMinCents: 300, idleMax: 60, areaIds: [1] },
  'on iOS': { systems: ['ios'] },
  'without a card': { cards: ['none'] },
  'never had the coupon': { couponTemplateId: templateId, couponHolding: 'never' },
  'with a tag': { tags: ['bench'] },
  'all of these': {
    registeredDays: 600,
    idleMax: 60,
    areaIds: [1],
    ridesDays: 30,
    ridesMin: 1,
    spentDays: 90,
    spentMaxCents: 5_000,
    systems: ['ios', 'android'],
    cards: ['none'],
    couponTemplateId: templateId,
    couponHolding: 'never',
    tags: ['bench'],
  },
}
for (const [what, terms] of Object.entries(asked)) {
  const parsed = segmentTermsSchema.parse({ name: 'bench', ...terms })
  const count = () => db.system((tx) => countSegment(tx, { agentId, terms: parsed, at: Date.now() }))
  await count()
  const [seconds, size] = await timed(count)
  judge({
    what: `size: ${what}`,
    figure: `${Math.round(seconds * 1_000)} ms for ${whole(size)}`,
    isMet: seconds * 1_000 <= sizeGoalMs,
    goal: `<= ${sizeGoalMs} ms`,
  })
}

const campaignTerms = campaignTermsSchema.parse({
  name: 'bench',
  segmentId,
  channel: 'coupon',
  templateId,
  quiet: null,
  holdoutPercent: 10,
})
const made = await run(
  `insert into campaign (agent_id, name, state, terms, segment_id, segment_version, channel, template_id,
     holdout_percent, created_at, created_by, changed_at, changed_by)
   values ($1, 'bench', 'scheduled', $2, $3, 1, 'coupon', $4, 10, now(), 'bench', now(), 'bench') returning id`,
  [agentId, JSON.stringify(campaignTerms), segmentId, templateId],
)
const campaignId = Number(made.rows[0]?.id)
const [seconds, chunks] = await timed(async () => {
  for (let count = 1; ; count += 1) {
    const step = await sendChunk({ db, clock: systemClock }, campaignId)
    if (step === 'ended') return count
    if (step === 'wait') throw new Error('the campaign waits')
  }
})
const { rows } = await database.query<{ sent: string; held_out: string; coupons: string; riders: string }>(
  `select c.sent, c.held_out, count(k.id) as coupons, count(distinct k.rider_id) as riders
   from campaign c left join coupon k on k.batch_id = c.batch_id where c.id = $1 group by c.id`,
  [campaignId],
)
const [row] = rows
const sent = Number(row?.sent)
if (Number(row?.coupons) !== sent || Number(row?.riders) !== sent) throw new Error('a rider has none or two')
say(`${whole(sent)} coupons, ${whole(Number(row?.held_out))} riders held out, in ${chunks} chunks`)
judge({
  what: `a coupon for ${whole(riders)} riders`,
  figure: `${seconds.toFixed(1)} s`,
  isMet: seconds <= goalSeconds,
  goal: `<= ${goalSeconds} s`,
})

const batch = await run(
  `insert into coupon_batch (agent_id, template_id, version, source, wanted, issued, made_at, made_by)
   values ($1, $2, 1, 'riders', $3, $3, now(), 'bench') returning id`,
  [agentId, templateId, sent],
)
const [plain] = await timed(() =>
  run(
    `insert into coupon (agent_id, template_id, version, batch_id, rider_id, issued_at, ends_at)
     select agent_id, template_id, version, $1, rider_id, issued_at, ends_at from coupon
     where batch_id = (select batch_id from campaign where id = $2)`,
    [batch.rows[0]?.id, campaignId],
  ),
)
compare({
  what: 'the same beside one plain insert',
  figure: `${seconds.toFixed(1)} s`,
  reference: `${plain.toFixed(1)} s`,
  ratio: seconds / plain,
  goal: { atMost: 3 },
})

const effect = () =>
  db.system((tx) => measure(tx, { of: 'campaign', id: campaignId, scope: { agentIds: [agentId] }, now: Date.now() }))
const [effectSeconds] = await timed(effect)
state(`the effect over ${whole(riders)} riders`, `${effectSeconds.toFixed(1)} s`)

await db.close()
await database.end()
await postgres.stop()
rmSync(dataDir, { recursive: true, force: true })
