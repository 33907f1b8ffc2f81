import { sql } from 'kysely'
import { ticketTargetHours, type TicketFinding, type TicketKind } from '@saddle/contract/support/tickets.ts'
import { dayMs, hourMs, minuteMs } from '@saddle/contract/time.ts'
import type { Kit } from '#kit/kit.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import { scopeOfAgent } from '#kit/db/scope.ts'
import { createPhotos } from '#photos/public.ts'
import { dueAfter, lockTicket, openTicket, takeStep, type By, type TicketParts } from '#support/demoDoor.ts'

const ticketsMax = 60
const ticketsToday = 16
const recentMs = 14 * hourMs
const spanDays = 30
/** This many count as complete: on later days others would be chosen. */
const enoughTickets = 40

type Words = readonly (readonly [ticket: string, note: string, answer: string, finding: TicketFinding])[]
/** What riders of the demo say, and what they are told. */
const words: Readonly<Record<TicketKind, Words>> = {
  fault: [
    ['刹车很软，下坡差点停不住', '已通知运维到场检查', '已安排检修刹车，感谢反馈', 'justified'],
    ['骑到一半没电了，仪表显示还有 30%', '电池曲线异常，换下送检', '电池读数偏高，已更换并为您减免', 'justified'],
    ['车座歪了，调不回来', '座椅卡扣松动', '座椅已修好，给您添麻烦了', 'justified'],
    ['开锁后后轮有异响', '到场未复现', '检查后没有发现异常，已继续观察', 'unverifiable'],
  ],
  charge: [
    ['我还车了还在计费，多收了十分钟', '关锁确认晚到 9 分钟', '锁的信号延迟，多计的时长已退', 'justified'],
    ['说好的免费时长怎么还收起步价', '骑行 6 分钟，超出免费时长', '骑行时长超过免费时长，按规则计费', 'unjustified'],
    ['同一趟骑行扣了两次', '两笔为两次骑行', '两笔分别是两次骑行，明细已发您', 'unjustified'],
    ['夜间加价没有提示', '开锁页有提示，字号偏小', '提示不够醒目，本次加价已退一半', 'partly'],
  ],
  return: [
    ['停在白线里了还收停车点外费用', '照片在框内，定位漂移 14 米', '照片显示在停车点内，费用已免除', 'justified'],
    ['停车点满了停不进去', '现场超停 6 辆', '停车点确实停满，已免除费用并安排调度', 'justified'],
    ['还车一直提示禁停区', '位置在学校禁停区内', '该处为禁停区，请移到停车点还车', 'unjustified'],
    ['锁关上了但订单没结束', '设备离线 4 分钟', '设备短暂离线，已按关锁时间结算', 'justified'],
  ],
  deposit: [
    ['押金退了三天还没到账', '渠道退款成功，银行处理中', '退款已成功，预计 1–3 个工作日到账', 'partly'],
    ['押金被冻结了，为什么', '有一笔损坏赔付待核实', '因车辆损坏核实中冻结，核实后即解冻', 'unjustified'],
  ],
  other: [
    ['捡到车筐里的一把雨伞', '已登记失物', '已登记失物，失主可凭描述领取', 'justified'],
    ['发票什么时候能开', '已转开票', '已为您提交开票申请', 'justified'],
  ],
}
const said = ['好的，谢谢', '还是没有收到', '我有现场照片，请再看看', '知道了']

const rideRow = rowOf('ride_order', 'o', [
  'id',
  'agent_id',
  'area_id',
  'rider_id',
  'vehicle_id',
  'vehicle_number',
  'ended_at',
]).filled('ended_at')
type Ride = RowOf<typeof rideRow>

/** Spreads numbers that follow each other. */
const mix = (value: number): number => Math.imul(value ^ (value >>> 15), 0x2c1b3c6d) >>> 0

/**
 * Tickets about rides of the demo's past, each opened, handed out and answered by the rules of tickets at its own time;
 * the latest still wait. Safe to be cut short: what is missing is added by the next turn. Resolves to the number added.
 */
export async function fillTickets(
  kit: Kit,
  deps: Pick<TicketParts, 'reportFault'>,
  picture: (number: number) => Buffer,
): Promise<number> {
  const nowMs = kit.clock.now()
  const known = await findKnown(kit)
  if (known.size >= enoughTickets) return 0
  const rides = (await findRides(kit, nowMs)).filter((ride) => !known.has(requestOf(ride)))
  const people = await findPeople(kit)
  for (const [index, ride] of rides.entries()) {
    const seed = mix(ride.id + index * 7_919)
    const by = people.get(ride.agent_id)?.[seed % (people.get(ride.agent_id)?.length ?? 1)]
    if (by === undefined) continue
    await kit.db.system((tx) => play(tx, { kit, deps, picture, ride, index, seed, by, nowMs }))
  }
  return rides.length
}

const requestPrefix = 'history-'
const requestOf = ({ id }: Pick<Ride, 'id'>): string => `${requestPrefix}${id}`

const ticketRow = rowOf('ticket', ['request_id as request']).filled('request')

async function findKnown({ db }: Kit): Promise<Set<string>> {
  const rows = await db.systemRead((k) =>
    ticketRow.select`from ticket where request_id like ${`${requestPrefix}%`} limit ${ticketsMax * 2}`.compile(k),
  )
  return new Set(rows.map(({ request }) => request))
}

async function findRides({ db }: Kit, nowMs: number): Promise<Ride[]> {
  const between = (from: number, to: number, count: number): Promise<Ride[]> =>
    db.systemRead((k) =>
      rideRow.select`
        from ride_order o
        where o.ended_at >= ${new Date(nowMs - from)} and o.ended_at < ${new Date(nowMs - to)}
        order by (o.return_kind <> 'in_place') desc, (o.id * 40503) % 65536, o.id limit ${count * 4}`.compile(k),
    )
  // Some of today's rides: staff have not answered all of their tickets yet.
  const today = await between(recentMs, hourMs, ticketsToday)
  const before = await between(spanDays * dayMs, recentMs, ticketsMax - ticketsToday)
  // Half of them about returns that cost something, half about any.
  const few = [before, today].flatMap((rides) => rides.filter((_, index) => index % 4 === 0))
  return few.toSorted((a, b) => a.ended_at.getTime() - b.ended_at.getTime())
}

const operatorRow = rowsOf(
  rowOf('operator', 'o', ['id as operatorId', 'name']),
  rowOfValues({ agentId: computed('bigint', sql`b.id`) }),
)

/** Who may answer tickets of each franchisee. */
async function findPeople({ db }: Kit): Promise<Map<number, By[]>> {
  const rows = await db.systemRead((k) =>
    operatorRow.select`
      from operator o
      join role_permission p on p.role_id = o.role_id and p.code = '0401'
      cross join lateral (select agent_and_below(o.agent_id) as id) b
      where o.state = 'enabled' and o.all_areas order by o.id`.compile(k),
  )
  const people = new Map<number, By[]>()
  for (const { agentId, ...by } of rows) people.set(agentId, [...(people.get(agentId) ?? []), by])
  return people
}

const kindsByTurn: readonly TicketKind[] = [
  'return',
  'charge',
  'fault',
  'charge',
  'return',
  'fault',
  'other',
  'deposit',
]

type Play = {
  readonly kit: Kit
  readonly deps: Pick<TicketParts, 'reportFault'>
  readonly picture: (number: number) => Buffer
  readonly ride: Ride
  readonly index: number
  readonly seed: number
  readonly by: By
  readonly nowMs: number
}

/** Takes one ticket from its first message to its state of today. */
async function play(tx: Tx, { kit, deps, picture, ride, index, seed, by, nowMs }: Play): Promise<void> {
  const kind = kindsByTurn[index % kindsByTurn.length] ?? 'other'
  const [text, note, answer, finding] = words[kind][seed % words[kind].length] ?? ['', '', '', 'justified']
  const openedAt = Math.min(nowMs - 20 * minuteMs, ride.ended_at.getTime() + (5 + (seed % 90)) * minuteMs)
  const isOld = nowMs - openedAt > 2 * dayMs
  const hasOrder = kind !== 'deposit' && kind !== 'other'
  const photos = createPhotos({ ...kit, clock: { now: () => openedAt } })
  const files = kind === 'fault' || kind === 'return' ? [picture(seed), picture(seed + 1)].slice(seed % 2) : []
  const id = await openTicket({ photos, reportFault: isOld ? async () => {} : deps.reportFault }, tx, {
    subject: {
      agentId: ride.agent_id,
      areaId: ride.area_id,
      riderId: ride.rider_id,
      orderId: hasOrder ? ride.id : null,
      vehicle: hasOrder ? { id: ride.vehicle_id, number: ride.vehicle_number } : null,
    },
    kind,
    text,
    files: files.map((file) => file.toString('base64')),
    requestId: requestOf(ride),
    by: index % 9 === 4 ? by : null,
    nowMs: openedAt,
  })
  if (id === null) return
  const scope = scopeOfAgent(ride.agent_id, [ride.area_id])
  const ticket = await lockTicket(tx, { id, scope })
  const step = async (afterMinutes: number, what: Parameters<typeof takeStep>[2]): Promise<boolean> => {
    const at = new Date(openedAt + afterMinutes * minuteMs)
    if (at.getTime() > nowMs) return false
    await takeStep(tx, ticket, { ...what, event: { ...what.event, at } })
    return true
  }
  const at = new Date(openedAt)
  const mine = { assignee_id: by.operatorId, assignee_name: by.name }
  // The latest tickets are not assigned yet.
  if (!isOld && seed % 3 === 0) return
  const first = 8 + (seed % 70)
  const changes = { state: 'in_work', ...mine } as const
  if (!(await step(first, { event: { at, step: 'assigned', by, assigneeName: by.name }, changes }))) return
  if (!isOld && seed % 3 === 1) return
  if (!(await step(first + 12, { event: { at, step: 'noted', by, text: note } }))) return
  // Most in time, some too late.
  const late = seed % 7 === 0 ? 1.4 : 0.3 + (seed % 5) / 10
  const answered = Math.round(ticketTargetHours[kind] * 60 * late) + first
  const resolvedAt = new Date(openedAt + answered * minuteMs)
  const found = { state: 'resolved', finding, resolved_at: resolvedAt } as const
  if (!(await step(answered, { event: { at, step: 'found', by, text: answer, finding }, changes: found }))) return
  await end({ step, at, kind, seed, answered, resolvedAt, by, answer })
}

type End = {
  readonly step: (afterMinutes: number, what: Parameters<typeof takeStep>[2]) => Promise<boolean>
  readonly at: Date
  readonly kind: TicketKind
  readonly seed: number
  readonly answered: number
  readonly resolvedAt: Date
  readonly by: By
  readonly answer: string
}

/** The rider agrees, does not agree, or says nothing. */
async function end({ step, at, kind, seed, answered, resolvedAt, by, answer }: End): Promise<void> {
  const own = { at, by: null, fromRider: true } as const
  const closed = { ...own, step: 'closed' } as const
  if (seed % 5 === 2) {
    const text = said[1 + (seed % 2)] ?? ''
    const dueAt = new Date(dueAfter(kind, resolvedAt.getTime() + hourMs))
    await step(answered + 60, { event: { ...own, step: 'said', text } })
    const again = { state: 'in_work', reopened_count: 1, due_at: dueAt } as const
    if (!(await step(answered + 60, { event: { ...own, step: 'reopened' }, changes: again }))) return
    const found = { state: 'resolved', finding: 'partly', resolved_at: new Date(resolvedAt.getTime() + 200 * minuteMs) }
    const more = { at, step: 'found', by, text: `再次核实：${answer}`, finding: 'partly' } as const
    if (!(await step(answered + 200, { event: more, changes: { ...found, state: 'resolved' } }))) return
    await step(answered + 300, { event: closed, changes: { state: 'closed', rating: 3 } })
    return
  }
  if (seed % 5 === 3) {
    await step(answered + 7 * 24 * 60, { event: { at, step: 'closed', by: null }, changes: { state: 'closed' } })
    return
  }
  await step(answered + 45 + (seed % 600), { event: closed, changes: { state: 'closed', rating: 3 + (seed % 3) } })
}
