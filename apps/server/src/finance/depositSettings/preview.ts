import { sql } from 'kysely'
import type { InputOf } from '@saddle/contract/endpoint.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { depositSettingEndpoints } from '@saddle/contract/finance/depositSettings.ts'
import { businessDayOf, dayMs } from '@saddle/contract/time.ts'
import { computed, rowOf, rowOfValues, rowsOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Kit } from '#kit/kit.ts'
import { groupOf, type DepositTerms } from './rules.ts'
import { areaSettingOf, factColumns, selectAreaSettings } from './store.ts'

const lookBackDays = 30
/** The riders who rode last are looked at. */
const ridersMax = 20_000

const recentRow = (today: string) =>
  rowsOf(
    rowOf('ride_order', 'o', ['area_id']),
    factColumns({ agentId: sql`o.agent_id`, riderId: sql`o.rider_id` }, today),
    rowOfValues({ riders: computed('integer', sql`1`) }),
  )

type Asked = InputOf<typeof depositSettingEndpoints.previewDeposit>

/** Who rode in these areas lately, and what a setting would ask of them, beside what is asked now. */
export async function previewDeposit(kit: Pick<Kit, 'db' | 'clock'>, scope: Scope, asked: Asked) {
  const areaIds = [...new Set(asked.areaIds)]
  if (areaIds.some((id) => !scope.areaIds.includes(id))) throw new AppError('not_found')
  const nowMs = kit.clock.now()
  const since = new Date(nowMs - lookBackDays * dayMs)
  const query = recentRow(businessDayOf(nowMs)).select`
    from (
      select distinct on (f.rider_id) f.rider_id, f.area_id, f.agent_id from ride_order f
      where f.area_id = any (${areaIds}::bigint[]) and f.agent_id = any (${scope.agentIds}::bigint[])
        and f.placed_at >= ${since} and f.started_at is not null
      order by f.rider_id, f.placed_at desc limit ${ridersMax}
    ) o`
  const [riders, areas] = await Promise.all([
    // Deposits and cards of riders are the company's, not an area's.
    kit.db.read(scope, (k) => query.compile(k)),
    kit.db.read(scope, (k) => selectAreaSettings(scope).compile(k)),
  ])
  const termsNow = new Map(areas.map(areaSettingOf).map((area) => [area.areaId, termsOf(area)]))
  const terms = termsOf(asked)
  return {
    riders: riders.length,
    isCut: riders.length === ridersMax,
    now: groupOf(riders.map((rider) => Object.assign({}, rider, { terms: termsNow.get(rider.area_id) ?? null }))),
    after: groupOf(riders.map((rider) => Object.assign({}, rider, { terms }))),
  }
}

const termsOf = (
  given: Pick<Asked, 'cents' | 'freeStudents' | 'freeProfessions' | 'freeCardHolders' | 'freeProductIds'>,
): DepositTerms => ({
  cents: given.cents,
  free_students: given.freeStudents,
  free_professions: given.freeProfessions,
  free_card_holders: given.freeCardHolders,
  free_product_ids: given.freeProductIds,
})
