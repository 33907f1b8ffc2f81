import { sql } from 'kysely'
import type { SplitTerms } from '@saddle/contract/finance/splitTerms.ts'
import {
  addDays,
  businessDayEnd,
  businessDayOf,
  businessDayStart,
  businessTimeZone,
  dayMs,
  hourMs,
  minuteMs,
} from '@saddle/contract/time.ts'
import type { Audit } from '#audit/public.ts'
import { ensureParties, insertTerms, type Finance } from '#finance/public.ts'
import type { Kit } from '#kit/kit.ts'
import { computed, rowOfValues } from '#kit/db/rows.ts'
import type { DemoPerson } from '../desk.ts'
import { demoServiceAreas, franchiseeId } from '../tenants.ts'
import { pastSplitObjections } from './splitObjections.ts'

/**
 * How the income of the demo's companies is divided: terms that were changed in the past month and one that is coming, then
 * every day of the past is closed and its statements are sealed, by the functions that the job uses.
 */

type Share = SplitTerms['parties'][number]['share']
const percent = (basisPoints: number): Share => ({ of: 'rest', basisPoints })
const perRide = (cents: number): Share => ({ of: 'ride', cents })

type Version = {
  readonly company: Parameters<typeof franchiseeId>[0]
  /** For the first area of the company only. */
  readonly isOfArea?: true
  /** Days from today. */
  readonly fromDays: number
  readonly feeBearer?: SplitTerms['feeBearer']
  readonly parties: readonly (readonly [name: string, share: Share])[]
  readonly reason: string
}

const versions: readonly Version[] = [
  {
    company: 'qinghe',
    fromDays: -45,
    parties: [
      ['青骑平台', percent(850)],
      ['停车场地方', perRide(20)],
    ],
    reason: '加盟合同约定',
  },
  {
    company: 'qinghe',
    isOfArea: true,
    fromDays: -20,
    parties: [
      ['青骑平台', percent(850)],
      ['停车场地方', perRide(20)],
      ['园区物业', percent(300)],
    ],
    reason: '园区引入协议',
  },
  {
    company: 'qinghe',
    fromDays: -9,
    parties: [
      ['青骑平台', percent(800)],
      ['停车场地方', perRide(20)],
    ],
    reason: '合同续签，平台服务费下调',
  },
  {
    company: 'qinghe',
    fromDays: 8,
    parties: [
      ['青骑平台', percent(750)],
      ['停车场地方', perRide(25)],
    ],
    reason: '冬季场地费调整',
  },
  {
    company: 'lvtu',
    fromDays: -45,
    feeBearer: 'shared',
    parties: [['青骑平台', percent(1_000)]],
    reason: '加盟合同约定',
  },
  {
    company: 'chengji',
    fromDays: -45,
    parties: [
      ['青骑平台', percent(1_200)],
      ['运维外包商', perRide(30)],
    ],
    reason: '加盟合同约定',
  },
]

/** What contracts say. In thirty days two statements of half a month are sealed, and one of a month may still be open. */
const periods = [
  ['qinghe', 'half_month'],
  ['lvtu', 'month'],
  ['chengji', 'day'],
] as const

const reserves = [
  ['qinghe', 200_000],
  ['lvtu', 100_000],
  ['chengji', 150_000],
] as const

/** Closes the past of the demo. Safe to repeat: terms are written once, a closed day stays closed. */
export async function fillSplits(
  kit: Kit,
  {
    audit,
    finance,
    author,
  }: {
    readonly audit: Audit
    readonly finance: Pick<Finance, 'ledger' | 'splits'>
    readonly author: DemoPerson | undefined
  },
): Promise<number> {
  await kit.db.system(async (tx) => {
    const { rows } = await rowOfValues({ has: computed('boolean', sql`exists (select from split_terms)`) })
      .select``.execute(tx)
    if (rows[0]?.has === true) return
    const today = businessDayOf(kit.clock.now())
    const by = { madeById: author?.operatorId ?? null, madeBy: author?.name ?? '平台' }
    for (const { company, isOfArea, fromDays, feeBearer = 'company', parties, reason } of versions) {
      const agentId = franchiseeId(company)
      const areaId = isOfArea === true ? (demoServiceAreas.find((area) => area.agentId === agentId)?.id ?? null) : null
      const firstDay = addDays(today, fromDays)
      const ids = await ensureParties(
        tx,
        agentId,
        parties.map(([name]) => name),
      )
      // Made in the afternoon two days before it holds, or lately where it is to come.
      const madeAt = Math.min(businessDayStart(firstDay) - 2 * dayMs + 15 * hourMs, kit.clock.now() - 3 * hourMs)
      const terms = {
        feeBasisPoints: 60,
        feeBearer,
        parties: parties.map(([name, share]) => ({ partyId: ids.get(name) ?? 0, name, share })),
      }
      const { version } = await insertTerms(tx, { agentId, areaId, firstDay, terms, reason, madeAt, ...by })
      await audit.write(tx, {
        agentId,
        operatorId: by.madeById,
        action: 'split.terms',
        subjectKind: areaId === null ? 'agent' : 'area',
        subjectId: areaId ?? agentId,
        ...(areaId !== null && { areaId }),
        after: { version, firstDay, reason },
      })
    }
    for (const [company, period] of periods) {
      await tx
        .insertInto('split_statement_period')
        .values({
          agent_id: franchiseeId(company),
          period,
          reason: '加盟合同约定',
          made_at: new Date(kit.clock.now() - 45 * dayMs),
          made_by_id: by.madeById,
          made_by: by.madeBy,
        })
        .execute()
    }
    for (const [company, cents] of reserves) {
      await tx
        .insertInto('split_reserve')
        .values({
          agent_id: franchiseeId(company),
          cents,
          reason: '加盟合同约定',
          made_at: new Date(kit.clock.now() - 45 * dayMs),
          made_by_id: by.madeById,
          made_by: by.madeBy,
        })
        .execute()
    }
  })
  const closed = await closePast(kit, finance)
  const { closedDays } = await finance.splits.run({ beginsNew: true })
  return closed + closedDays
}

/** When the job would have closed a day, and settled it after its channel bills had been compared. */
const closedAfterMs = 2 * minuteMs
const settledAfterMs = 10 * hourMs + 10 * minuteMs

const openRow = rowOfValues({ day: computed('text?', sql`to_char(min(f.day), 'YYYY-MM-DD')`) })

/** Closes and settles each day of the past as at the time when it was due, and what companies disputed in between. */
async function closePast(kit: Kit, { ledger, splits }: Pick<Finance, 'ledger' | 'splits'>): Promise<number> {
  const nowMs = kit.clock.now()
  const today = businessDayOf(nowMs)
  const [open] = await kit.db.systemRead((k) =>
    openRow.select`
      from (
        select coalesce(c.open_day, (
          select (min(e.occurred_at) at time zone ${businessTimeZone})::date from ledger_entry e where e.agent_id = b.agent_id
        )) as day
        from ledger_book b left join split_cursor c on c.agent_id = b.agent_id
      ) f`.compile(k),
  )
  const objections = pastSplitObjections(kit, ledger)
  let closedDays = 0
  for (let day = open?.day ?? today; day < today; day = addDays(day, 1)) {
    const end = businessDayEnd(day)
    for (const after of [kit.config.splitGraceMinutes * minuteMs + closedAfterMs, settledAfterMs]) {
      const at = end + after
      if (at > nowMs) continue
      await objections.until(at)
      closedDays += (await splits.run({ beginsNew: true, past: { at, day } })).closedDays
    }
  }
  await objections.until(nowMs)
  return closedDays
}
