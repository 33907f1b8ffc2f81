import { sql, type RawBuilder } from 'kysely'
import type { SegmentTerms } from '@saddle/contract/marketing/segments.ts'
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
    ...latestConditions(asked),
    ...spanConditions(asked),
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

/** The latest ride, and whether there is one. */
function latestConditions({ agentId, terms, at, range }: Asked): Condition[] {
  const { areaIds, ridden, idleMin, idleMax } = terms
  const of = sql`from rider_use u where u.agent_id = ${agentId} ${inRange('u.rider_id', range)}`
  const asked = [
    ...(areaIds.length === 0 ? [] : [sql`u.last_area_id = any (${areaIds}::bigint[])`]),
    ...(idleMin === null ? [] : [sql`u.last_ride_at <= ${new Date(at - idleMin * dayMs)}`]),
    ...(idleMax === null ? [] : [sql`u.last_ride_at > ${new Date(at - idleMax * dayMs)}`]),
    ...(ridden === 'ever' ? [sql`true`] : []),
  ]
  return [
    ...(ridden === 'never' ? [sql`not exists (select ${of} and u.rider_id = r.id)`] : []),
    ...(asked.length === 0 ? [] : [sql`exists (select ${of} and u.rider_id = r.id and ${all(asked)})`]),
  ]
}

/**
 * Rides and money of the last days. Who is not among the sums has none, so an upper bound leaves out those above it. Sums of
 * bigint are numeric, which is slow for a million riders; as double precision, whole numbers of this size are exact.
 */
function spanConditions({ agentId, terms, at, range }: Asked): Condition[] {
  const bounded = (column: 'rides' | 'cents', days: number | null, min: number | null, max: number | null) => {
    const name = sql.ref(`d.${column}`)
    const sums = (above: Condition) =>
      days === null
        ? sql`select d.rider_id from rider_use d where d.agent_id = ${agentId} ${inRange('d.rider_id', range)}
            and ${name} ${above}`
        : sql`select d.rider_id from rider_day d where d.agent_id = ${agentId} ${inRange('d.rider_id', range)}
            and d.day > ${addDays(businessDayOf(at), -days)}::date group by d.rider_id
            having sum(${name}::float8) ${above}`
    return [
      ...(min === null || min === 0
        ? []
        : [sql`exists (select from (${sums(sql`>= ${min}`)}) s where s.rider_id = r.id)`]),
      ...(max === null ? [] : [sql`not exists (select from (${sums(sql`> ${max}`)}) s where s.rider_id = r.id)`]),
    ]
  }
  return [
    ...bounded('rides', terms.ridesDays, terms.ridesMin, terms.ridesMax),
    ...bounded('cents', terms.spentDays, terms.spentMinCents, terms.spentMaxCents),
  ]
}

/** Cards, phones, coupons and tags. */
function heldConditions({ agentId, terms, range }: Asked): Condition[] {
  const { cards, systems, appIds, couponTemplateId, couponHolding, tags } = terms
  const kinds = cards.filter((kind) => kind !== 'none')
  const heldCard = (kind: Condition) =>
    sql`exists (select from rider_card k where k.agent_id = ${agentId} ${inRange('k.rider_id', range)}
      and k.rider_id = r.id and k.state = 'active' ${kind})`
  const device = [
    ...(systems.length === 0 ? [] : [sql`p.system ilike any (${systems.map((name) => `${name}%`)}::text[])`]),
    ...(appIds.length === 0 ? [] : [sql`p.app_id = any (${appIds}::bigint[])`]),
  ]
  const coupon = (state: Condition) =>
    sql`exists (select from coupon c where c.agent_id = ${agentId} ${inRange('c.rider_id', range)}
      and c.rider_id = r.id and c.template_id = ${couponTemplateId} ${state})`
  return [
    ...(cards.length === 0
      ? []
      : [
          sql`(${heldCard(sql`and k.kind = any (${kinds}::text[])`)} ${
            cards.includes('none') ? sql`or not ${heldCard(sql``)}` : sql``
          })`,
        ]),
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
