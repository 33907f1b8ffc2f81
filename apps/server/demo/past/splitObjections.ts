import type { ObjectionAct, SplitReason } from '@saddle/contract/finance/objections.ts'
import { addDays, businessDayOf, businessDayStart, dayMs, hourMs } from '@saddle/contract/time.ts'
import { sql } from 'kysely'
import { decide, lockIncome, selectObjection, submitSplitObjection } from '#finance/demoDoor.ts'
import type { Finance } from '#finance/public.ts'
import { computed, rowOfValues } from '#kit/db/rows.ts'
import type { Kit } from '#kit/kit.ts'
import { franchiseeId } from '../tenants.ts'

type Company = Parameters<typeof franchiseeId>[0]
type Deal = readonly [act: ObjectionAct, share: number, note: string]

interface Dispute {
  readonly company: Company
  /** The day whose income is disputed, and when: hours after that day's end. */
  readonly daysAgo: number
  readonly afterHours: number
  readonly reason: SplitReason
  readonly lines: number
  readonly text: string
  readonly deals: readonly Deal[]
}

/** One of each outcome. Those before ten in the morning hold what is in transit, the others what has settled. */
const disputes: readonly Dispute[] = [
  {
    company: 'lvtu',
    daysAgo: 24,
    afterHours: 34,
    reason: 'refund_wrong',
    lines: 3,
    text: '这几笔退款由客服误操作，不应从我司收入扣除',
    deals: [
      ['take', 0, '已调取客服记录'],
      ['accept', 1, '客服误退，平台承担'],
    ],
  },
  {
    company: 'chengji',
    daysAgo: 18,
    afterHours: 40,
    reason: 'share_wrong',
    lines: 4,
    text: '运维外包商的分成应自次月起计',
    deals: [
      ['take', 0, ''],
      ['refuse', 0, '协议生效日期早于当天，分成无误'],
    ],
  },
  {
    company: 'qinghe',
    daysAgo: 13,
    afterHours: 5,
    reason: 'fee_wrong',
    lines: 5,
    text: '渠道手续费应按合同费率计算',
    deals: [
      ['take', 0, ''],
      ['accept', 0.4, '核对费率后按差额补足'],
    ],
  },
  {
    company: 'lvtu',
    daysAgo: 7,
    afterHours: 52,
    reason: 'other',
    lines: 2,
    text: '重复提交',
    deals: [['withdraw', 0, '']],
  },
  {
    company: 'qinghe',
    daysAgo: 4,
    afterHours: 30,
    reason: 'share_wrong',
    lines: 6,
    text: '停车场地方的分成与续签合同不一致',
    deals: [
      ['take', 0, ''],
      ['escalate', 0, '请财务负责人复核合同条款'],
    ],
  },
  {
    company: 'chengji',
    daysAgo: 3,
    afterHours: 28,
    reason: 'income_missing',
    lines: 3,
    text: '这些订单的跨区调度费没有计入',
    deals: [['take', 0, '已向运营部门核实']],
  },
  {
    company: 'lvtu',
    daysAgo: 1,
    afterHours: 4,
    reason: 'fee_wrong',
    lines: 2,
    text: '手续费进位方式与合同不符',
    deals: [],
  },
]

interface Event {
  readonly at: number
  readonly run: () => Promise<void>
}

const billRow = rowOfValues({
  id: computed('bigint', sql`b.id`),
  lines: computed(
    'jsonb',
    sql`(select jsonb_agg(jsonb_build_object('entryNumber', l.entry_number, 'cents', l.paid_cents))
      from (
        select l.entry_number, l.paid_cents from split_line l
        where l.agent_id = b.agent_id and l.day = b.day and l.area_id = b.area_id and l.paid_cents >= 100
        order by l.entry_number limit 10
      ) l)`,
  ),
}).json<{ lines: { entryNumber: number; cents: number }[] | null }>()
const knownRow = rowOfValues({
  has: computed('boolean', sql`exists (select from objection o where o.split_bill_id is not null and o.text = n.text)`),
})

interface PastSplitObjections {
  /** Does everything that happened up to a time, in its order. */
  until(at: number): Promise<void>
}

/** What companies disputed of closed days, in each state, by the code that takes it. Each is done once. */
export function pastSplitObjections(kit: Kit, ledger: Finance['ledger']): PastSplitObjections {
  const today = businessDayOf(kit.clock.now())
  const atTime = (ms: number) => ({ ledger, kit: { ...kit, clock: { ...kit.clock, now: () => ms } } })

  const submit = async (dispute: Dispute, at: number): Promise<number | null> => {
    const { company, daysAgo, reason, text } = dispute
    const agentId = franchiseeId(company)
    const day = addDays(today, -daysAgo)
    return kit.db.system(async (tx) => {
      const { rows: known } = await knownRow.select`from (select ${text}::text as text) n`.execute(tx)
      if (known[0]?.has === true) return null
      const { rows: bills } = await billRow.select`
        from split_bill b where b.agent_id = ${agentId} and b.day = ${day} and b.area_id is not null
        order by b.id limit 1`.execute(tx)
      const [bill] = bills
      if (bill === undefined || bill.lines === null) return null
      const areas = await tx.selectFrom('service_area').select('id').where('agent_id', '=', agentId).execute()
      const submitted = await submitSplitObjection(atTime(at), tx, {
        splitBillId: bill.id,
        reason,
        text,
        lines: bill.lines.slice(0, dispute.lines),
        scope: { agentIds: [agentId], areaIds: areas.map(({ id }) => id) },
        by: { id: null, name: '财务' },
        keep: async () => [],
      })
      await submitted.post()
      return submitted.id
    })
  }

  const deal = async (dispute: Dispute, id: number, [act, share, note]: Deal, at: number): Promise<void> => {
    const scope = { agentIds: [franchiseeId(dispute.company)] }
    await kit.db.system(async (tx) => {
      const [row] = (await selectObjection({ id, scope }).execute(tx)).rows
      if (row === undefined) return
      await lockIncome(tx, row)
      const by = { id: null, name: act === 'withdraw' ? '财务' : '平台财务' }
      const cents = act === 'accept' ? { cents: Math.max(1, Math.round(row.disputed_cents * share)) } : {}
      const { post } = await decide(atTime(at), tx, row, { act, note, by, ...cents })
      await post()
    })
  }

  const ids = new Map<Dispute, number | null>()
  const eventsOf = (dispute: Dispute): Event[] => {
    const at = businessDayStart(addDays(today, -dispute.daysAgo)) + dayMs + dispute.afterHours * hourMs
    const events: Event[] = [{ at, run: async () => void ids.set(dispute, await submit(dispute, at)) }]
    for (const [step, one] of dispute.deals.entries()) {
      const dealtAt = at + (step + 1) * 7 * hourMs
      const run = async (): Promise<void> => {
        const id = ids.get(dispute) ?? null
        if (id !== null) await deal(dispute, id, one, dealtAt)
      }
      events.push({ at: dealtAt, run })
    }
    return events
  }
  const due = disputes.flatMap(eventsOf).toSorted((a, b) => a.at - b.at)
  return {
    until: async (at) => {
      while ((due[0]?.at ?? Infinity) <= at) await due.shift()?.run()
    },
  }
}
