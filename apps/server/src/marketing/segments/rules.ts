import { sql, type RawBuilder } from 'kysely'
import type { SegmentSpan, SegmentTerms } from '@saddle/contract/marketing/segments.ts'
import { riderCells } from '@saddle/contract/rider/riders.ts'
import { addDays, businessDayOf, dayMs } from '@saddle/contract/time.ts'

/** Riders whose ids lie above one and up to another: chunks of a campaign. */
export type IdRange = { readonly after: number; readonly upTo: number }

type Asked = {
  readonly agentId: number
  readonly terms: SegmentTerms
  /** Days are counted back from here. */
  readonly at: number
  readonly range?: IdRange
}

type Condition = RawBuilder<unknown>
const all = (conditions: readonly Condition[]): Condition => sql.join(conditions, sql` and `)

/** The condition that the rider `r` of a company belongs to a segment. It names no other table outside of subqueries. */
export function segmentCondition(asked: Asked): Condition {
  const { agentId, terms, range } = asked
  return all([
    sql`r.agent_id = ${agentId}`,
    ...(range === undefined ? [] : [sql`r.id > ${range.after}`, sql`r.id <= ${range.upTo}`]),
    sql`r.cell = any (${cellsOf(terms)}::smallint[])`,
    ...personConditions(asked),
    ...rideConditions(asked),
    ...heldConditions(asked),
  ])
}

/** What is one number in the row of the rider: riders are counted by an index that has it, and their rows are not read. */
const cellsOf = ({ withBanned, certified, certificates, balances }: SegmentTerms): number[] =>
  riderCells({
    state: 'active',
    ...(withBanned ? {} : { banned: false }),
    ...(certified === 'any' ? {} : { certified: certified === 'yes' }),
    ...(certificates.length === 0 ? {} : { certificates }),
    ...(balances.length === 0 ? {} : { balances }),
  })

/** When the rider came. */
function personConditions({ terms, at }: Asked): Condition[] {
  const { registeredFrom, registeredTo, registeredDays } = terms
  return [
    ...(registeredFrom === null ? [] : [sql`r.created_at >= ${new Date(registeredFrom)}`]),
    ...(registeredTo === null ? [] : [sql`r.created_at < ${new Date(registeredTo)}`]),
    ...(registeredDays === null ? [] : [sql`r.created_at >= ${new Date(at - registeredDays * dayMs)}`]),
  ]
}

const inRange = (column: string, range: IdRange | undefined): Condition =>
  range === undefined ? sql`` : sql`and ${sql.ref(column)} > ${range.after} and ${sql.ref(column)} <= ${range.upTo}`

/** What the row of the rider's rides says: the latest one, and rides and money of a span. Who has no row never rode. */
function rideConditions(asked: Asked): Condition[] {
  const { agentId, terms, at, range } = asked
  const { areaIds, ridden, idleMin, idleMax, ridesMin, ridesMax, spentMinCents, spentMaxCents } = terms
  const none = (condition: Condition) =>
    sql`not exists (select from rider_use u where u.agent_id = ${agentId} ${inRange('u.rider_id', range)}
      and u.rider_id = r.id ${condition})`
  const rides = sumOf('rides', terms.ridesDays, asked)
  const cents = sumOf('cents', terms.spentDays, asked)
  const least = [
    ...(areaIds.length === 0 ? [] : [sql`u.last_area_id = any (${areaIds}::bigint[])`]),
    ...(idleMin === null ? [] : [sql`u.last_ride_at <= ${new Date(at - idleMin * dayMs)}`]),
    ...(idleMax === null ? [] : [sql`u.last_ride_at > ${new Date(at - idleMax * dayMs)}`]),
    ...(ridesMin === null || ridesMin === 0 ? [] : [sql`${rides} >= ${ridesMin}`]),
    ...(spentMinCents === null || spentMinCents === 0 ? [] : [sql`${cents} >= ${spentMinCents}`]),
    ...(ridden === 'ever' ? [sql`true`] : []),
  ]
  const most = [
    ...(ridesMax === null ? [] : [sql`${rides} <= ${ridesMax}`]),
    ...(spentMaxCents === null ? [] : [sql`${cents} <= ${spentMaxCents}`]),
  ]
  return [
    ...(ridden === 'never' ? [none(sql``)] : []),
    ...(least.length === 0 && most.length > 0 ? [none(sql`and not (${all(most)})`)] : []),
    // One join of two large sets, whatever is asked.
    ...(least.length === 0
      ? []
      : [
          sql`exists (select from rider_use u where u.agent_id = ${agentId} ${inRange('u.rider_id', range)}
            and u.rider_id = r.id and ${all([...least, ...most])})`,
        ]),
  ]
}

/**
 * Rides or money of the last days of the row `u`. Where its sum is out of date, because a day has left the span or the
 * condition is asked for another day, the days of this rider are added up.
 */
function sumOf(column: 'rides' | 'cents', days: SegmentSpan | null, { at }: Asked): Condition {
  if (days === null) return sql.ref(`u.${column}`)
  const today = businessDayOf(at)
  return sql`case when u.spans_day <= ${today}::date and u.spans_until > ${today}::date
    then ${sql.ref(`u.${column}_${days}`)}
    else ${sql.raw(`${column}_since`)}(u.rider_id, ${addDays(today, -days)}::date) end`
}

/** Cards, phones, coupons and tags. */
function heldConditions({ agentId, terms, range }: Asked): Condition[] {
  const { cards, systems, appIds, couponTemplateId, couponHolding, tags } = terms
  const kinds = cards.filter((kind) => kind !== 'none')
  const heldCard = (kind: Condition) =>
    sql`exists (select from rider_card k where k.agent_id = ${agentId} ${inRange('k.rider_id', range)}
      and k.rider_id = r.id and k.state = 'active' ${kind})`
  const device = [
    ...(systems.length === 0 ? [] : [sql`p.system_family = any (${systems}::text[])`]),
    ...(appIds.length === 0 ? [] : [sql`p.app_id = any (${appIds}::bigint[])`]),
  ]
  const coupon = (state: Condition) =>
    sql`exists (select from coupon c where c.agent_id = ${agentId} ${inRange('c.rider_id', range)}
      and c.rider_id = r.id and c.template_id = ${couponTemplateId} ${state})`
  const ofKinds = heldCard(sql`and k.kind = any (${kinds}::text[])`)
  const without = sql`not ${heldCard(sql``)}`
  return [
    ...(cards.length === 0
      ? []
      : // Each alone is a join; both together are looked up rider by rider.
        [kinds.length === 0 ? without : cards.includes('none') ? sql`(${ofKinds} or ${without})` : ofKinds]),
    ...(device.length === 0
      ? []
      : [
          sql`exists (select from rider_device p where p.agent_id = ${agentId} ${inRange('p.rider_id', range)}
            and p.rider_id = r.id and ${all(device)})`,
        ]),
    ...(couponTemplateId === null
      ? []
      : [couponHolding === 'never' ? sql`not ${coupon(sql``)}` : coupon(sql`and c.state = ${couponHolding}`)]),
    ...(tags.length === 0
      ? []
      : [
          sql`exists (select from rider_tag g where g.agent_id = ${agentId} ${inRange('g.rider_id', range)}
            and g.rider_id = r.id and g.tag = any (${tags}::text[]))`,
        ]),
  ]
}
