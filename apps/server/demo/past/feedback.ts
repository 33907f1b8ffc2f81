import { sql } from 'kysely'
import type {
  FeedbackKind,
  FeedbackPriority,
  FeedbackSubjectKind,
  FeedbackStep,
} from '@saddle/contract/support/feedback.ts'
import { dayMs, hourMs, minuteMs } from '@saddle/contract/time.ts'
import type { Kit } from '#kit/kit.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues } from '#kit/db/rows.ts'
import { createPhotos } from '#photos/public.ts'
import {
  feedbackDueAfter,
  insertFeedback,
  insertFeedbackEvent,
  keepTicketPhotos,
  takeFeedbackStep,
  tellOfFeedback,
  type FeedbackChanges,
  type FeedbackSubject,
} from '#support/demoDoor.ts'
import type { DemoPerson } from '../desk.ts'

/** What was said so long after the ticket was opened, and by whom. */
type Said = readonly [afterMs: number, step: FeedbackStep, text: string]

interface Story {
  /** The author's phone. */
  readonly by: string
  readonly kind: FeedbackKind
  readonly priority: FeedbackPriority
  readonly title: string
  readonly text: string
  readonly subject?: FeedbackSubjectKind
  readonly hasPhoto?: true
  /** How long ago it was opened. */
  readonly ageMs: number
  readonly steps: readonly Said[]
  readonly rating?: number
}

const platformPhone = '13800138000'
const [qinghe, qingheField, lvtu] = ['13800138001', '13800138002', '13800138006']

/** Tickets in each state, with what was said. */
const stories: readonly Story[] = [
  {
    by: qinghe,
    kind: 'fault',
    priority: 'high',
    title: '订单详情里的轨迹缺一段',
    text: '这一单中间约三分钟没有轨迹，骑行者对里程费有疑问，请看看是设备没报还是页面没画。',
    subject: 'order',
    hasPhoto: true,
    ageMs: 3 * hourMs,
    steps: [
      [20 * minuteMs, 'started', ''],
      [25 * minuteMs, 'noted', '设备上报里确有 3 分钟空档，疑似隧道'],
      [40 * minuteMs, 'replied', '收到，正在核对设备上报，今天内答复。'],
    ],
  },
  {
    by: lvtu,
    kind: 'question',
    priority: 'normal',
    title: '账户开户需要准备哪些材料',
    text: '我们想尽快开通提现，营业执照之外还要准备什么？',
    ageMs: 2 * hourMs,
    steps: [],
  },
  {
    by: qingheField,
    kind: 'fault',
    priority: 'urgent',
    title: '换电任务完成后电量没有更新',
    text: '换完电池十分钟了，地图上还是显示低电量，车租不出去。',
    subject: 'vehicle',
    ageMs: 7 * hourMs,
    steps: [[30 * minuteMs, 'assigned', '']],
  },
  {
    by: qinghe,
    kind: 'dispute',
    priority: 'normal',
    title: '上月服务账单的短信条数偏多',
    text: '账单里的短信比我们自己统计的多，请提供按天的明细口径。',
    subject: 'service_bill',
    ageMs: 2 * dayMs,
    steps: [
      [hourMs, 'started', ''],
      [3 * hourMs, 'asked', '请告知贵司统计的是发送成功数还是提交数，并附一天的样例。'],
    ],
  },
  {
    by: qinghe,
    kind: 'wish',
    priority: 'low',
    title: '希望停车点列表能按超停数排序',
    text: '每天早上要找超停的停车点安排调度，现在只能一个个点开看。',
    ageMs: 5 * dayMs,
    steps: [
      [4 * hourMs, 'started', ''],
      [dayMs, 'resolved', '站点统计里可以按“超量小时”排序，已在帮助里补充说明。'],
    ],
  },
  {
    by: lvtu,
    kind: 'wish',
    priority: 'normal',
    title: '导入车辆时希望能自动识别表头',
    text: '供应商给的表格列名每次都不一样，导入前要手工改。',
    ageMs: 30 * hourMs,
    steps: [
      [2 * hourMs, 'started', ''],
      [5 * hourMs, 'asked', '请把最近两份供应商的原始表格发来，我们按它们的列名对照。'],
    ],
  },
  {
    by: lvtu,
    kind: 'question',
    priority: 'normal',
    title: '子账户可以设置几个',
    text: '我们有两个合伙人，分账要分别到账。',
    ageMs: 12 * dayMs,
    steps: [
      [2 * hourMs, 'replied', '可以为每个合伙人各建一个子账户，在账户管理中添加。'],
      [3 * hourMs, 'said', '找到了，谢谢。'],
      [4 * hourMs, 'resolved', '已说明设置方法。'],
    ],
    rating: 5,
  },
  {
    by: qinghe,
    kind: 'fault',
    priority: 'normal',
    title: '导出的订单文件里没有优惠金额',
    text: '昨天导出的订单表里少了优惠金额一列。',
    ageMs: 20 * dayMs,
    steps: [
      [hourMs, 'started', ''],
      [6 * hourMs, 'resolved', '列被收起后不会导出，展开该列后重新导出即可。'],
      [dayMs, 'reopened', '展开后导出仍然没有这一列。'],
      [2 * dayMs, 'resolved', '已修正导出的列，请重新导出。'],
    ],
    rating: 4,
  },
]

type Run = {
  readonly kit: Kit
  readonly picture: (number: number) => Buffer
  readonly people: ReadonlyMap<string, DemoPerson>
}

const titleRow = rowOf('feedback_ticket', 't', ['title'])

/**
 * Tickets of the demo's companies to the platform, in each state, each once. One about a thing that is not there yet is
 * left for the next call. Resolves to the number added.
 */
export async function fillFeedback({ kit, picture, people }: Run): Promise<number> {
  const known = await kit.db.systemRead((k) => titleRow.select`from feedback_ticket t`.compile(k))
  const titles = new Set(known.map(({ title }) => title))
  const platform = people.get(platformPhone)
  if (platform === undefined) return 0
  const nowMs = kit.clock.now()
  return kit.db.system(async (tx) => {
    let added = 0
    for (const story of stories) {
      const author = people.get(story.by)
      if (author === undefined || titles.has(story.title)) continue
      if (await addTicketOf(tx, { kit, picture, story, author, platform, nowMs })) added += 1
    }
    return added
  })
}

interface Telling extends Pick<Run, 'kit' | 'picture'> {
  readonly story: Story
  readonly author: DemoPerson
  readonly platform: DemoPerson
  readonly nowMs: number
}

/** Resolves to false where what the ticket is about is not there yet. */
async function addTicketOf(tx: Tx, { kit, picture, story, author, platform, nowMs }: Telling): Promise<boolean> {
  const subject = await subjectOf(tx, { kind: story.subject, agentId: author.agentId })
  if (subject === null) return false
  const { areaId, columns } = subject
  const openedMs = nowMs - story.ageMs
  const at = new Date(openedMs)
  const photos = createPhotos({ ...kit, clock: { now: () => openedMs } })
  const files = story.hasPhoto === true ? [picture(7).toString('base64')] : []
  const photoIds = await keepTicketPhotos({ photos }, tx, { kind: 'feedback', agentId: author.agentId, areaId, files })
  const dueMs = feedbackDueAfter(story.priority, openedMs)
  const { kind, priority, title, text } = story
  const given = { kind, priority, title, text, photoIds, ticketId: null, openedAt: at, dueAt: new Date(dueMs) }
  const id = await insertFeedback(tx, { agentId: author.agentId, areaId, ...columns, author, ...given })
  if (id === null) return false
  const row = { id, agent_id: author.agentId, area_id: areaId }
  await insertFeedbackEvent(tx, row, { at, step: 'opened', by: author, fromPlatform: false })
  if (story.ageMs < dayMs) await tellOpened(tx, row, { story, author, platform, at })
  const mine = { assignee_id: platform.operatorId, assignee_name: platform.name }
  for (const [afterMs, step, words] of story.steps) {
    const then = new Date(openedMs + afterMs)
    const isAuthors = step === 'said' || step === 'reopened'
    const changes: FeedbackChanges =
      step === 'resolved'
        ? { state: 'resolved', resolved_at: then, ...mine }
        : step === 'asked'
          ? { state: 'waiting', waiting_since: then, ...mine }
          : step === 'reopened'
            ? { state: 'in_work', resolved_at: null, reopened_count: 1 }
            : step === 'said' || step === 'noted'
              ? {}
              : { state: 'in_work', ...mine }
    const isNamed = step === 'started' || step === 'assigned'
    const event = { at: then, step, by: isAuthors ? author : platform, fromPlatform: !isAuthors, text: words }
    await takeFeedbackStep(tx, row, {
      event: { ...event, ...(isNamed && { assigneeName: platform.name }) },
      changes,
    })
  }
  const { rating } = story
  const [lastMs = 0] = story.steps.at(-1) ?? []
  if (rating !== undefined)
    await takeFeedbackStep(tx, row, {
      event: { at: new Date(openedMs + lastMs + hourMs), step: 'rated', by: author, fromPlatform: false },
      changes: { state: 'closed', rating },
    })
  return true
}

const companyRow = rowOf('agent', 'a', ['company'])

/** Tells the platform of what was asked today. */
async function tellOpened(
  tx: Tx,
  row: Parameters<typeof tellOfFeedback>[1],
  { story, author, platform, at }: Pick<Telling, 'story' | 'author' | 'platform'> & { readonly at: Date },
): Promise<void> {
  const [found] = (await companyRow.select`from agent a where a.id = ${author.agentId}`.execute(tx)).rows
  const { title, kind, priority } = story
  await tellOfFeedback(tx, row, {
    event: 'feedback_opened',
    values: { company: found?.company ?? '', title, feedback: kind, priority },
    operatorIds: [platform.operatorId],
    by: author,
    at,
  })
}

const place = rowOfValues({ id: computed('bigint', sql`x.id`), area_id: computed('bigint?', sql`x.area_id`) })

/** One of the company's own things of this kind; null where it has none. */
async function subjectOf(
  tx: Tx,
  { kind, agentId }: { readonly kind: FeedbackSubjectKind | undefined; readonly agentId: number },
): Promise<{ areaId: number | null; columns: FeedbackSubject['columns'] } | null> {
  if (kind === undefined) return { areaId: null, columns: {} }
  if (kind === 'order') {
    const { rows } = await place.select`
      from ride_order x where x.agent_id = ${agentId} and x.charged_cents > 0 order by x.placed_at desc limit 1`.execute(
      tx,
    )
    const [row] = rows
    return row === undefined ? null : { areaId: row.area_id, columns: { orderId: row.id } }
  }
  if (kind === 'vehicle') {
    const { rows } = await place.select`from vehicle x where x.agent_id = ${agentId} order by x.id limit 1`.execute(tx)
    const [row] = rows
    return row === undefined ? null : { areaId: row.area_id, columns: { vehicleId: row.id } }
  }
  if (kind !== 'service_bill') return null
  const { rows } = await place.select`
    from (select id, null::bigint as area_id from service_bill where agent_id = ${agentId} order by month desc limit 1) x`.execute(
    tx,
  )
  const [row] = rows
  return row === undefined ? null : { areaId: null, columns: { serviceBillId: row.id } }
}
