import { sql } from 'kysely'
import { campaignTermsSchema, type CampaignTerms } from '@saddle/contract/marketing/campaigns.ts'
import { couponTermsSchema } from '@saddle/contract/marketing/couponTerms.ts'
import { segmentTermsSchema, type SegmentTerms } from '@saddle/contract/marketing/segments.ts'
import { businessDayOf, businessDayStart, dayMs, hourMs, minuteMs } from '@saddle/contract/time.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOfValues, computed } from '#kit/db/rows.ts'
import type { Kit } from '#kit/kit.ts'
import { countSegment, sendChunk } from '#marketing/demoDoor.ts'
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

/** Segments and campaigns of the demo's companies in each state; what was sent is sent by the platform itself. Done once. */
export async function writeDemoCampaigns({ kit }: Deps): Promise<void> {
  const { db } = kit
  const [known] = await db.systemRead((k) => k.selectFrom('segment').select('id').limit(1).compile())
  if (known !== undefined) return
  const agents = await db.systemRead((k) =>
    rowOfValues({ agent_id: computed('bigint', sql`r.agent_id`) }).select`
      from rider r where r.closed_at is null group by r.agent_id having count(*) > 50 order by 1`.compile(k),
  )
  for (const { agent_id: agentId } of agents) await writeCompany(kit, agentId)
}

async function writeCompany(kit: Deps['kit'], agentId: number): Promise<void> {
  const now = kit.clock.now()
  const { ids, templateId } = await kit.db.system(async (tx) => {
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
  for (const campaign of campaigns) await writeCampaign(kit, { agentId, campaign, ids, templateId, now })
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
        size: await countSegment(tx, { agentId, terms, at: now }),
        sized_at: new Date(now),
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

/** The coupon that the campaigns send. */
async function insertTemplate(tx: Tx, agentId: number, now: number): Promise<number> {
  const made = new Date(now - 24 * dayMs)
  const terms = couponTermsSchema.parse({
    name: '推送专享券',
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
  // Ten in the morning of that day; today an hour ago.
  const startedAt =
    startedDays === undefined || startedDays === 0
      ? now - hourMs
      : businessDayStart(businessDayOf(now + startedDays * dayMs)) + 10 * hourMs
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
