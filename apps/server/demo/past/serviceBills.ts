import { sql } from 'kysely'
import type { ObjectionAct, ServiceReason } from '@saddle/contract/finance/objections.ts'
import { meters, type Meter, type MeterCount } from '@saddle/contract/finance/meters.ts'
import { addDays, businessDayEnd, businessDayOf, businessDayStart, dayMs, hourMs } from '@saddle/contract/time.ts'
import type { Audit } from '#audit/public.ts'
import {
  closeDay,
  collect,
  decide,
  insertNote,
  issueBills,
  lockCounting,
  payNote,
  selectObjection,
  serviceRecharge,
  submitObjection,
  type MeterSource,
} from '#finance/demoDoor.ts'
import type { Finance } from '#finance/public.ts'
import { certifications } from '#rider/public.ts'
import type { Kit } from '#kit/kit.ts'

const monthsBack = 2

/** How much of what is due each company pays in after a bill, in percent; the last one lets a part wait. */
const paidPercents = [180, 130, 40] as const

interface Parts {
  readonly ledger: Finance['ledger']
  readonly kit: Kit
  readonly audit: Audit
}

/**
 * What the companies of the demo used since two months ago, and the bills of both months, each made by the job's own code
 * at the time when the job would have made it. Safe to be cut short: a day that is counted is not counted again.
 */
export async function fillServiceBills({ kit, audit, ledger }: Parts): Promise<number> {
  const nowMs = kit.clock.now()
  const today = businessDayOf(nowMs)
  const sources = new Map<Meter, MeterSource>(meters.map((meter) => [meter, pastSource(kit, meter)]))
  let bills = 0
  for (let back = monthsBack; back >= 0; back -= 1) {
    const month = monthBefore(today, back)
    const end = back === 0 ? today : `${monthBefore(today, back - 1)}-01`
    for (let day = `${month}-01`; day < end; day = addDays(day, 1)) await countDay(kit, sources, day)
    if (back === 0) break
    const issuedAt = businessDayStart(end) + 2 * hourMs
    const then = { ...kit, clock: { ...kit.clock, now: () => issuedAt } }
    const issued = await issueBills({ kit: then, audit, sources })
    bills += issued
    if (issued > 0) await chargeAll(then, { ledger, back, at: issuedAt + 30 * hourMs })
  }
  await fillObjections(kit, ledger)
  return bills
}

/** Companies pay in a day later, by the sandbox channel, and their bills are paid out of that. */
async function chargeAll(
  kit: Kit,
  { ledger, back, at }: { readonly ledger: Finance['ledger']; readonly back: number; readonly at: number },
): Promise<void> {
  const then = { ...kit, clock: { ...kit.clock, now: () => at } }
  const due = await kit.db.systemRead((k) =>
    sql<{ agentId: number; cents: number }>`
      select agent_id as "agentId", sum(open_cents)::bigint as cents from service_bill where state = 'unpaid'
      group by agent_id order by agent_id`.compile(k),
  )
  for (const [index, { agentId, cents }] of due.entries()) {
    const percent = paidPercents[index % paidPercents.length] ?? 100
    // The newest bill of the last company waits for its money.
    if (percent < 100 && back === 1) continue
    const wanted = Math.max(10_000, Math.ceil((cents * percent) / 1_000_000) * 10_000)
    const number = `demo-${agentId}-${back}`
    const [paidAt, operator] = [new Date(at), { by: '财务', byId: null }]
    await kit.db.system(async (tx) => {
      const made = { agentId, number, way: 'sandbox' as const, cents: wanted, at: new Date(at - 60_000), ...operator }
      const noteId = await insertNote(tx, made)
      await payNote(tx, { id: noteId, at: paidAt })
      await ledger.post(serviceRecharge({ agentId, at, cents: wanted, noteId, from: 'sandbox' }), tx)
      await collect({ kit: then, ledger }, tx, agentId)
    })
  }
}

type Deal = readonly [act: ObjectionAct, share: number, note: string]

/** One of each outcome, over the newest bills, and the acts that led there. */
const disputes: readonly (readonly [reason: ServiceReason, share: number, text: string, deals: readonly Deal[]])[] = [
  ['quantity', 0.2, '月中有三天车辆在库维修，不应计入服务车辆', []],
  ['service_fault', 0.15, '十二日平台中断两小时，申请减少当日费用', [['take', 0, '已核对中断记录']]],
  [
    'price',
    0.1,
    '合同约定的单价与账单不一致',
    [
      ['take', 0, ''],
      ['accept', 1, '单价录入有误，按合同调减'],
    ],
  ],
  [
    'not_ours',
    0.1,
    '其中一个服务区已移交其他公司',
    [
      ['take', 0, ''],
      ['refuse', 0, '移交日期在账期之后'],
    ],
  ],
  [
    'quantity',
    0.1,
    '消息条数明显高于上月',
    [
      ['take', 0, ''],
      ['escalate', 0, '请技术部门复核'],
    ],
  ],
  ['other', 0.05, '重复提交', [['withdraw', 0, '']]],
  [
    'quantity',
    0.1,
    '设备重复上报的消息不应计费',
    [
      ['take', 0, ''],
      ['accept', 0.5, '重复部分核减一半'],
    ],
  ],
]

/** Objections in each state, by the code that takes them. Done once. */
async function fillObjections(kit: Kit, ledger: Finance['ledger']): Promise<void> {
  const [known] = await kit.db.systemRead((k) =>
    sql<{ count: number }>`select count(*) as count from (select from objection limit 1) o`.compile(k),
  )
  if (known?.count !== 0) return
  const lines = await kit.db.systemRead((k) =>
    sql<{ id: number; billId: number; agentId: number; cents: number }>`
      select l.id, l.bill_id as "billId", l.agent_id as "agentId", l.amount_cents as cents
      from service_bill_line l join service_bill b on b.id = l.bill_id
      where l.amount_cents >= 1000 and b.month = (select max(month) from service_bill)
      order by l.amount_cents desc, l.id limit ${disputes.length}`.compile(k),
  )
  for (const [index, [reason, share, text, deals]] of disputes.entries()) {
    const line = lines[index]
    if (line === undefined) return
    const { agentId, billId } = line
    const scope = { agentIds: [agentId] }
    const submittedAt = Math.min(kit.clock.now(), kit.clock.now() - (9 - index) * 20 * hourMs)
    const at = (ms: number) => ({ ledger, kit: { ...kit, clock: { ...kit.clock, now: () => ms } } })
    const id = await kit.db.system(async (tx) => {
      const made = {
        billId,
        reason,
        text,
        lines: [{ lineId: line.id, cents: Math.max(1, Math.round(line.cents * share)) }],
      }
      const submitted = await submitObjection(at(submittedAt), tx, {
        ...made,
        scope,
        by: { id: null, name: '财务' },
        keep: async () => [],
      })
      await submitted.post()
      return submitted.id
    })
    for (const [step, [act, accepted, note]] of deals.entries()) {
      await kit.db.system(async (tx) => {
        const [row] = (await selectObjection({ id, scope }).execute(tx)).rows
        if (row === undefined) return
        const name = act === 'withdraw' ? '财务' : '平台财务'
        const cents = accepted > 0 ? { cents: Math.max(1, Math.round(row.disputed_cents * accepted)) } : {}
        const then = at(submittedAt + (step + 1) * 5 * hourMs)
        const { post } = await decide(then, tx, row, { act, note, by: { id: null, name }, ...cents })
        await post()
      })
    }
  }
}

function monthBefore(day: string, months: number): string {
  let month = day.slice(0, 7)
  for (let back = 0; back < months; back += 1) month = addDays(`${month}-01`, -1).slice(0, 7)
  return month
}

async function countDay(kit: Kit, sources: ReadonlyMap<Meter, MeterSource>, day: string): Promise<void> {
  const at = new Date(Math.min(kit.clock.now(), businessDayEnd(day) + hourMs + 90_000))
  const span = { day, from: new Date(businessDayStart(day)), to: new Date(businessDayEnd(day)) }
  await kit.db.system(async (tx) => {
    await lockCounting(tx)
    for (const [meter, source] of sources) await closeDay(tx, { meter, day, at, counts: await source.count(span) })
  })
}

/** A number between 0 and 1 that is the same for the same day and company at every start. */
const wave = (atMs: number, id: number): number => (Math.sin((atMs / dayMs) * 1.7 + id * 2.3) + 1) / 2

/** Figures of days of which the demo keeps nothing else: by the vehicles that companies have. */
function pastSource(kit: Kit, meter: Meter): MeterSource {
  const fleet = async (): Promise<(MeterCount & { areaId: number })[]> =>
    kit.db.systemRead((k) =>
      sql<{ agentId: number; areaId: number; quantity: number }>`
        select agent_id as "agentId", area_id as "areaId", count(*) as quantity from vehicle
        where state <> 'removed' group by agent_id, area_id order by agent_id, area_id`.compile(k),
    )
  const byCompany = async (of: (vehicles: number, agentId: number) => number): Promise<MeterCount[]> => {
    const companies = new Map<number, number>()
    for (const { agentId, quantity } of await fleet()) companies.set(agentId, (companies.get(agentId) ?? 0) + quantity)
    return [...companies].map(([agentId, vehicles]) => ({
      agentId,
      areaId: null,
      quantity: Math.round(of(vehicles, agentId)),
    }))
  }
  return {
    events: async () => null,
    count: async (day) => {
      const atMs = day.from.getTime()
      switch (meter) {
        case 'vehicle_day':
          return (await fleet()).map((one) =>
            Object.assign(one, { quantity: Math.max(1, one.quantity - Math.round(4 * wave(atMs, one.areaId))) }),
          )
        case 'device_data':
          return (await fleet()).map((one) =>
            Object.assign(one, { quantity: Math.round(one.quantity * (700 + 500 * wave(atMs, one.areaId))) }),
          )
        case 'sms':
          return byCompany((vehicles, agentId) => 6 + (vehicles / 40) * wave(atMs, agentId))
        case 'map_call':
          return byCompany((vehicles, agentId) => 120 + vehicles * (0.5 + wave(atMs, agentId)))
        case 'certification':
          return certifications(kit).count(day)
      }
    },
  }
}
