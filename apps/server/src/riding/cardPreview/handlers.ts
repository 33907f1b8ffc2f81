import { setImmediate } from 'node:timers/promises'
import type { CardTerms } from '@saddle/contract/finance/cardTerms.ts'
import {
  cardPreviewRidesMax,
  type CardPreview,
  type cardPreviewEndpoints,
} from '@saddle/contract/riding/cardPreview.ts'
import { returnKinds } from '@saddle/contract/riding/price.ts'
import type { PriceRules } from '@saddle/contract/riding/price.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { businessDayOf, businessDayStart, dayMs } from '@saddle/contract/time.ts'
import type { Handlers } from '#kit/call.ts'
import { codeOf } from '#kit/codes.ts'
import { rowOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { tenantFilter } from '#kit/db/tenantFilter.ts'
import type { Kit } from '#kit/kit.ts'
import { heldBenefitsOf } from '../orders/present.ts'
import { selectInForce, versionOf } from '../prices/store.ts'
import { priceRide, ridingByDay, type PricedRide } from '../pricing/pricing.ts'
import { benefitOfTerms, outcomeOf, summaryOf, type PastRide } from './rules.ts'

const weekDays = 7
/** Number of rides priced before the event loop is released. */
const breathEvery = 500

const rideRow = rowOf('ride_order', 'o', [
  'area_id',
  'rider_id',
  'started_at',
  'ended_at',
  'distance_m',
  'return_kind',
  'benefits',
]).filled('started_at', 'ended_at', 'return_kind')
type Row = RowOf<typeof rideRow>

type Deps = { readonly kit: Pick<Kit, 'db' | 'clock'> }

export function createCardPreviewHandlers({ kit }: Deps): Handlers<typeof cardPreviewEndpoints> {
  return {
    previewCard: async ({ agentId, terms, weeks }, { scope }) => {
      if (!scope.agentIds.includes(agentId)) throw new AppError('not_found')
      return { suc: true, data: await preview(kit, scope, { agentId, terms, weeks }) }
    },
  }
}

async function preview(
  kit: Deps['kit'],
  scope: Scope,
  asked: { agentId: number; terms: CardTerms; weeks: number },
): Promise<CardPreview> {
  const { agentId, terms, weeks } = asked
  const nowMs = kit.clock.now()
  const since = new Date(businessDayStart(businessDayOf(nowMs - weeks * weekDays * dayMs)))
  const query = rideRow.select`
    from ride_order o
    where o.agent_id = ${agentId} and ${tenantFilter('o', scope)} and o.placed_at >= ${since}
      and o.charged_cents is not null and o.started_at is not null
      and (cardinality(${terms.areaIds}::bigint[]) = 0 or o.area_id = any (${terms.areaIds}::bigint[]))
    order by o.placed_at desc, o.id desc limit ${cardPreviewRidesMax}`
  const [rows, versions] = await Promise.all([
    kit.db.read(scope, (k) => query.compile(k)),
    kit.db.read(scope, (k) => selectInForce({ scope, at: new Date(nowMs) }).compile(k)),
  ])
  const rules = new Map(versions.map(versionOf).map((version) => [version.areaId, version.rules]))
  const byRider = await pastRides(rows.toReversed(), { terms, rules })
  const outcomes = [...byRider.values()].map((rides) => outcomeOf(rides, terms, nowMs))
  return { weeks, isCut: rows.length === cardPreviewRidesMax, ...summaryOf(outcomes) }
}

/** The rides of each rider from the oldest on: as they were priced, and with the card beside what the rider had. */
async function pastRides(
  rows: readonly Row[],
  { terms, rules }: { terms: CardTerms; rules: ReadonlyMap<number, PriceRules> },
): Promise<Map<number, PastRide[]>> {
  const card = benefitOfTerms(terms)
  const [plain, withCard] = [createPricing(), createPricing()]
  const byRider = new Map<number, PastRide[]>()
  for (const [index, row] of rows.entries()) {
    if (index % breathEvery === breathEvery - 1) await setImmediate()
    const own = rules.get(row.area_id)
    // An area without prices by now.
    if (own === undefined) continue
    const held = heldBenefitsOf(row.benefits)
    const paidCents = plain(own, row, held)
    const ride = {
      startedAt: row.started_at.getTime(),
      paidCents,
      savedCents: paidCents - withCard(own, row, [...held, card]),
    }
    const rides = byRider.get(row.rider_id)
    if (rides === undefined) byRider.set(row.rider_id, [ride])
    else rides.push(ride)
  }
  return byRider
}

/** Prices one ride after the other, each knowing what its rider was charged before in that area on the same days. */
function createPricing() {
  const spent = new Map<string, Record<string, number>>()
  return (rules: PriceRules, row: Row, benefits: PricedRide['benefits']): number => {
    const whose = `${row.rider_id} ${row.area_id}`
    const days = spent.get(whose) ?? {}
    const { lines, totalCents } = priceRide(rules, {
      startedAt: row.started_at.getTime(),
      endedAt: row.ended_at.getTime(),
      distanceM: row.distance_m ?? 0,
      returnKind: codeOf(returnKinds, row.return_kind),
      benefits,
      model: null,
      weather: null,
      areaId: row.area_id,
      spentByDay: days,
    })
    for (const [day, cents] of Object.entries(ridingByDay(lines))) days[day] = (days[day] ?? 0) + cents
    spent.set(whose, days)
    return totalCents
  }
}
