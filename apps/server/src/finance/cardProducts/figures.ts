import { sql } from 'kysely'
import { addDays, businessDayOf, businessDayStart } from '@saddle/contract/time.ts'
import { computed, rowOfValues } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'

const shownDays = 30

export const figuresRow = rowOfValues({
  waiting: computed('bigint', sql`count(*) filter (where c.state = 'waiting')`),
  active: computed('bigint', sql`count(*) filter (where c.state = 'active')`),
  over: computed('bigint', sql`count(*) filter (where c.state = 'over')`),
  refunded: computed('bigint', sql`count(*) filter (where c.state = 'refunded')`),
  lapsed: computed('bigint', sql`count(*) filter (where c.state = 'lapsed')`),
  given: computed('bigint', sql`count(*) filter (where c.paid_by = 'gift')`),
  riders: computed('bigint', sql`count(distinct c.rider_id) filter (where c.bought_at is not null)`),
  sales_cents: computed('bigint', sql`coalesce(sum(c.price_cents) filter (where c.bought_at is not null), 0)`),
  refunded_cents: computed('bigint', sql`coalesce(sum(c.refunded_cents), 0)`),
  unearned_cents: computed(
    'bigint',
    sql`coalesce(sum(c.price_cents - case when c.rides is null then c.price_cents * c.earned_days / c.days
      else c.price_cents * c.earned_rides / c.rides end) filter (where c.state = 'active'), 0)`,
  ),
  rides: computed('bigint', sql`coalesce(sum(u.uses), 0)`),
  saved_cents: computed('bigint', sql`coalesce(sum(u.saved_cents), 0)`),
})

/** What has become of the cards of a product. */
export function selectFigures({ id, scope }: { id: number; scope: Pick<Scope, 'agentIds'> }) {
  return figuresRow.select`
    from rider_card c
    left join lateral (
      select count(*) as uses, sum(u.saved_cents) as saved_cents from card_use u
      where u.card_id = c.id and u.returned_at is null
    ) u on true
    where c.product_id = ${id} and c.agent_id = any (${scope.agentIds}::bigint[])`
}

const dayRow = rowOfValues({
  day: computed('date', sql`(c.bought_at at time zone 'Asia/Shanghai')::date`),
  sold: computed('bigint', sql`count(*)`),
})

/** How many of it were sold on each of the last days that had any. */
export function selectSoldDays({ id, scope, nowMs }: { id: number; scope: Pick<Scope, 'agentIds'>; nowMs: number }) {
  const since = new Date(businessDayStart(addDays(businessDayOf(nowMs), 1 - shownDays)))
  return dayRow.select`
    from rider_card c
    where c.product_id = ${id} and c.agent_id = any (${scope.agentIds}::bigint[]) and c.paid_by <> 'gift'
      and c.bought_at >= ${since}
    group by 1 order by 1`
}

/** Each of the last days, those without a sale too. */
export function everyDay(found: readonly { readonly day: string; readonly sold: number }[], nowMs: number) {
  const sold = new Map(found.map((row) => [row.day, row.sold]))
  const first = addDays(businessDayOf(nowMs), 1 - shownDays)
  return Array.from({ length: shownDays }, (_, index) => {
    const day = addDays(first, index)
    return { day, sold: sold.get(day) ?? 0 }
  })
}
