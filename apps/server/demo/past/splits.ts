import { sql } from 'kysely'
import type { SplitTerms } from '@saddle/contract/finance/splitTerms.ts'
import { addDays, businessDayOf, businessDayStart, dayMs, hourMs } from '@saddle/contract/time.ts'
import type { Audit } from '#audit/public.ts'
import { ensureParties, insertTerms, type Splits } from '#finance/public.ts'
import type { Kit } from '#kit/kit.ts'
import { computed, rowOfValues } from '#kit/db/rows.ts'
import type { DemoPerson } from '../desk.ts'
import { demoServiceAreas, franchiseeId } from '../tenants.ts'

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
    splits,
    author,
  }: { readonly audit: Audit; readonly splits: Splits; readonly author: DemoPerson | undefined },
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
  const { closedDays } = await splits.run({ beginsNew: true })
  return closedDays
}
