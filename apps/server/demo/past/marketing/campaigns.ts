import { sql } from 'kysely'
import { campaignTermsSchema, type CampaignTerms } from '@saddle/contract/marketing/campaigns.ts'
import { couponTermsSchema } from '@saddle/contract/marketing/couponTerms.ts'
import { segmentTermsSchema, type SegmentTerms } from '@saddle/contract/marketing/segments.ts'
import { businessDayOf, businessDayStart, dayMs, hourMs, minuteMs } from '@saddle/contract/time.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues } from '#kit/db/rows.ts'
import type { Kit } from '#kit/kit.ts'
import { countSegment, sendChunk } from '#marketing/demoDoor.ts'
import { demoTenants, platformAgentId } from '#demo/tenants.ts'
import type { PastEvent } from '../benefits.ts'
import { marketingClerk } from './activities.ts'

type Deps = { readonly kit: Pick<Kit, 'db' | 'clock' | 'log'> }

/** Segments of each company, by what the campaigns below call them. */
const segments = {
  all: { name: '全部用户' },
  fresh: { name: '新用户（注册 30 天内）', registeredDays: 30 },
  regular: { name: '高频骑行（30 天 4 次以上）', ridesDays: 30, ridesMin: 4 },
  lapsed: { name: '流失 14 天', ridden: 'ever', idleMin: 14 },
  unridden: { name: '注册未骑行', ridden: 'never' },
  students: { name: '学生', certificates: ['student'] },
} as const satisfies Readonly<Record<string, Partial<SegmentTerms> & { name: string }>>
type SegmentName = keyof typeof segments

type PastCampaign = {
  readonly segment: SegmentName
  readonly terms: Partial<CampaignTerms> & Pick<CampaignTerms, 'name' | 'channel'>
  /** When it was started; absent: a draft. */
  readonly startedDays?: number
  /** Chunks that were sent before it was stopped, and riders of each; absent: all. */
  readonly part?: { readonly riders: number; readonly state: 'paused' | 'running' }
  readonly isScheduled?: boolean
}

const message = (name: string, title: string, body: string) => ({ name, channel: 'message' as const, title, body })

const campaigns: readonly PastCampaign[] = [
  {
    segment: 'all',
    terms: { ...message('雨后出行提醒', '雨停了，骑行更舒服', '今天路面已干，附近车辆充足。'), holdoutPercent: 30 },
    startedDays: -18,
  },
  {
    segment: 'regular',
    terms: { name: '高频用户答谢券', channel: 'coupon', holdoutPercent: 25 },
    startedDays: -12,
  },
  {
    segment: 'fresh',
    terms: { ...message('新用户指引', '三步学会规范停车', '还车前请停入停车点，避免调度费。'), budgetSends: 200 },
    startedDays: -9,
  },
  {
    segment: 'lapsed',
    terms: { name: '老用户召回券', channel: 'coupon', holdoutPercent: 20 },
    startedDays: -1,
    part: { riders: 400, state: 'paused' },
  },
  {
    segment: 'all',
    terms: { ...message('夜间锁车提醒', '还车请确认锁好', '关锁后请在应用内确认行程已结束。'), holdoutPercent: 10 },
    startedDays: 0,
    part: { riders: 300, state: 'running' },
  },
  {
    segment: 'students',
    terms: { ...message('期末校园出行', '校园停车点已更新', '请在新的停车点还车。'), holdoutPercent: 10 },
    isScheduled: true,
  },
  { segment: 'unridden', terms: { name: '首骑礼券', channel: 'coupon', holdoutPercent: 10 } },
]

/**
 * Campaigns of the demo's companies that send coupons, each at its time, so that the rides after it are charged with them;
 * nothing where there are campaigns.
 */
export async function pastCampaigns({ kit }: Deps): Promise<PastEvent[]> {
  if (await hasSegments(kit)) return []
  const now = kit.clock.now()
  const events: PastEvent[] = []
  for (const { id: agentId } of demoTenants.filter(({ id }) => id !== platformAgentId)) {
    let made: Promise<Made> | null = null
    for (const campaign of campaigns.filter(isCoupon)) {
      const run = async () => {
        made ??= begin(kit, agentId, now)
        await writeCampaign(kit, { agentId, campaign, ...(await made), now })
      }
      events.push({ at: startOf(campaign, now), run })
    }
  }
  return events
}

const isCoupon = ({ terms, startedDays }: PastCampaign): boolean =>
  terms.channel === 'coupon' && startedDays !== undefined
/** Ten in the morning of that day; today an hour ago. */
const startOf = ({ startedDays = 0 }: PastCampaign, now: number): number =>
  startedDays === 0 ? now - hourMs : businessDayStart(businessDayOf(now + startedDays * dayMs)) + 10 * hourMs

async function hasSegments({ db }: Deps['kit']): Promise<boolean> {
  const [known] = await db.systemRead((k) => k.selectFrom('segment').select('id').limit(1).compile())
  return known !== undefined
}

const agentRow = rowOfValues({ agent_id: computed('bigint', sql`r.agent_id`) })
const segmentRow = rowOf('segment', 's', ['id', 'name'])
const versionRow = rowOf('segment_version', 'v', ['terms'])

/** The other campaigns in each state, and the size of the segments; what was sent is sent by the platform itself. Done once. */
export async function writeDemoCampaigns({ kit }: Deps): Promise<void> {
  const now = kit.clock.now()
  const agents = await kit.db.systemRead((k) =>
    agentRow.select`
      from rider r where r.closed_at is null
        and not exists (select from campaign c where c.agent_id = r.agent_id and c.channel = 'message')
      group by r.agent_id having count(*) > 50 order by 1`.compile(k),
  )
  for (const { agent_id: agentId } of agents) {
    const made = (await madeOf(kit, agentId)) ?? (await begin(kit, agentId, now))
    await sizeSegments(kit, agentId, now)
    const known = await kit.db.systemRead((k) =>
      k.selectFrom('campaign').select('name').where('agent_id', '=', agentId).compile(),
    )
    for (const campaign of campaigns.filter(({ terms }) => !known.some(({ name }) => name === terms.name)))
      await writeCampaign(kit, { agentId, campaign, ...made, now })
  }
}

type Made = { readonly ids: SegmentIds; readonly templateId: number }

async function begin(kit: Deps['kit'], agentId: number, now: number): Promise<Made> {
  return kit.db.system(async (tx) => {
    await tx
      .insertInto('marketing_setting')
      .values({
        agent_id: agentId,
        control_percent: 5,
        weekly_max: 3,
        changed_at: new Date(now - 25 * dayMs),
        changed_by: marketingClerk,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    return { ids: await insertSegments(tx, agentId, now), templateId: await insertTemplate(tx, agentId, now) }
  })
}

/** What was begun for a company; null: nothing. */
async function madeOf({ db }: Deps['kit'], agentId: number): Promise<Made | null> {
  return db.system(async (tx) => {
    const { rows } = await segmentRow.select`from segment s where s.agent_id = ${agentId} order by s.id`.execute(tx)
    const template = await tx
      .selectFrom('coupon_template')
      .select('id')
      .where('agent_id', '=', agentId)
      .where('name', '=', couponName)
      .executeTakeFirst()
    if (rows.length === 0 || template === undefined) return null
    const ids = Object.entries(segments).map(([key, { name }]) => [key, rows.find((row) => row.name === name)?.id ?? 0])
    return { ids: Object.fromEntries(ids) as SegmentIds, templateId: template.id }
  })
}

async function sizeSegments({ db }: Deps['kit'], agentId: number, now: number): Promise<void> {
  await db.system(async (tx) => {
    const { rows } = await segmentRow.select`from segment s where s.agent_id = ${agentId} order by s.id`.execute(tx)
    for (const { id } of rows) {
      const { rows: versions } = await versionRow.select`
        from segment_version v where v.segment_id = ${id} order by v.version desc limit 1`.execute(tx)
      const size = await countSegment(tx, { agentId, terms: segmentTermsSchema.parse(versions[0]?.terms), at: now })
      await sql`update segment set size = ${size}, sized_at = ${new Date(now)} where id = ${id}`.execute(tx)
    }
  })
}

type SegmentIds = Readonly<Record<SegmentName, number>>

async function insertSegments(tx: Tx, agentId: number, now: number): Promise<SegmentIds> {
  const made = new Date(now - 24 * dayMs)
  const ids: Partial<Record<SegmentName, number>> = {}
  for (const [key, own] of Object.entries(segments) as [SegmentName, (typeof segments)[SegmentName]][]) {
    const terms = segmentTermsSchema.parse(own)
    const { id } = await tx
      .insertInto('segment')
      .values({
        agent_id: agentId,
        name: own.name,
        created_at: made,
        changed_at: made,
        changed_by: marketingClerk,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('segment_version')
      .values({
        segment_id: id,
        version: 1,
        agent_id: agentId,
        terms: JSON.stringify(terms),
        made_at: made,
        made_by: marketingClerk,
      })
      .execute()
    ids[key] = id
  }
  return ids as SegmentIds
}

const couponName = '推送专享券'

/** The coupon that the campaigns send. */
async function insertTemplate(tx: Tx, agentId: number, now: number): Promise<number> {
  const made = new Date(now - 24 * dayMs)
  const terms = couponTermsSchema.parse({
    name: couponName,
    effect: { off: 'cents', cents: 100 },
    fromCents: 200,
    validDays: 30,
    validUntil: null,
    budgetCents: 500_000,
  })
  const { id } = await tx
    .insertInto('coupon_template')
    .values({
      agent_id: agentId,
      name: terms.name,
      budget_cents: terms.budgetCents,
      created_at: made,
      changed_at: made,
      changed_by: marketingClerk,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('coupon_template_version')
    .values({
      template_id: id,
      version: 1,
      agent_id: agentId,
      terms: JSON.stringify(terms),
      made_at: made,
      made_by: marketingClerk,
    })
    .execute()
  return id
}

type Writing = {
  readonly agentId: number
  readonly campaign: PastCampaign
  readonly ids: SegmentIds
  readonly templateId: number
  readonly now: number
}

/** The one that is under way waits for the end of its quiet hours, so that it can be seen so. */
function quietAround(now: number): { from: number; to: number } {
  const minute = Math.floor((now - businessDayStart(businessDayOf(now))) / minuteMs)
  return { from: (minute + 1_440 - 30) % 1_440, to: (minute + 360) % 1_440 }
}

async function writeCampaign(kit: Deps['kit'], { agentId, campaign, ids, templateId, now }: Writing): Promise<void> {
  const { segment, startedDays, part, isScheduled = false } = campaign
  const isStarted = startedDays !== undefined
  const startedAt = startOf(campaign, now)
  const terms = campaignTermsSchema.parse({
    ...campaign.terms,
    segmentId: ids[segment],
    templateId: campaign.terms.channel === 'coupon' ? templateId : null,
    startsAt: isScheduled ? now + 2 * dayMs : null,
    quiet: null,
  })
  const madeAt = new Date(Math.min(startedAt, now) - 2 * hourMs)
  const { id } = await kit.db.system((tx) =>
    tx
      .insertInto('campaign')
      .values({
        agent_id: agentId,
        name: terms.name,
        state: isStarted || isScheduled ? 'scheduled' : 'draft',
        terms: JSON.stringify(terms),
        segment_id: terms.segmentId,
        segment_version: 1,
        channel: terms.channel,
        template_id: terms.templateId,
        starts_at: terms.startsAt === null ? (isStarted ? new Date(startedAt) : null) : new Date(terms.startsAt),
        holdout_percent: terms.holdoutPercent,
        budget_sends: terms.budgetSends,
        created_at: madeAt,
        created_by: marketingClerk,
        changed_at: madeAt,
        changed_by: marketingClerk,
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  if (!isStarted) return
  const past = { db: kit.db, clock: { ...kit.clock, now: () => startedAt } }
  if (part === undefined) {
    for (let chunks = 0; chunks < 100; chunks += 1) if ((await sendChunk(past, id)) !== 'more') return
    return
  }
  await sendChunk(past, id, part.riders)
  const quiet = JSON.stringify(part.state === 'running' ? quietAround(now) : null)
  await kit.db.system((tx) =>
    sql`
      update campaign set state = ${part.state}, halt = ${part.state === 'paused' ? 'person' : null},
        terms = jsonb_set(terms, '{quiet}', ${quiet}::jsonb)
      where id = ${id} and state = 'running'`.execute(tx),
  )
}
