import { sql } from 'kysely'
import type { SplitTotals } from '@saddle/contract/finance/splitRules.ts'
import type { SplitTerms } from '@saddle/contract/finance/splitTerms.ts'
import type { Database } from '#kit/db/pool.ts'
import { computed, rowOfValues } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { splitRide } from '../splits/rules.ts'

/** Different charges that a preview divides; one that has more is cut, the rarest left out. */
const differentMax = 200_000

const groupRow = rowOfValues({
  charges: computed('bigint', sql`count(*)`),
  paid_cents: computed('bigint', sql`l.paid_cents`),
  channel_cents: computed('bigint', sql`l.channel_cents`),
  platform_cents: computed('bigint', sql`-l.platform_borne_cents`),
  partner_cents: computed('bigint', sql`-l.partner_borne_cents`),
  is_ride: computed('boolean', sql`l.kind = 'ride_charge'`),
  fee_cents: computed('bigint', sql`sum(l.fee_cents)`),
  owner_cents: computed('bigint', sql`sum(l.owner_cents)`),
})
const shareRow = rowOfValues({
  name: computed('text', sql`t.terms -> 'parties' -> (c.at - 1)::integer ->> 'name'`),
  cents: computed('bigint', sql`sum(c.cents)`),
})
const refundRow = rowOfValues({ cents: computed('bigint', sql`coalesce(-sum(l.paid_cents), 0)`) })

type PreviewSpan = {
  readonly agentId: number
  readonly areaId: number | null
  readonly firstDay: string
  readonly lastDay: string
}

/** Lines that terms of a place would have divided: a company's hold where an area has none of its own. */
const ofPlace = (scope: Scope, { agentId, areaId, firstDay, lastDay }: PreviewSpan) => sql`
  l.agent_id = ${agentId} and l.agent_id = any (${scope.agentIds}::bigint[])
    and l.day between ${firstDay} and ${lastDay}
    and (l.area_id is null or l.area_id = any (${scope.areaIds}::bigint[]))
    and ${
      areaId === null
        ? sql`(l.area_id is null or not exists (
            select from split_terms o where o.agent_id = l.agent_id and o.area_id = l.area_id))`
        : sql`l.area_id = ${areaId}`
    }`

/** What everybody got of the charges of a span, and what they would have got by other terms. */
export async function previewTerms(
  db: Database,
  scope: Scope,
  { terms, ...span }: PreviewSpan & { readonly terms: SplitTerms },
): Promise<{ charges: number; paidCents: number; refundedCents: number; now: SplitTotals; after: SplitTotals }> {
  const where = ofPlace(scope, span)
  const [groups, shares, [refunds]] = await Promise.all([
    db.read(scope, (k) =>
      groupRow.select`
        from split_line l where ${where} and l.paid_cents > 0
        group by l.paid_cents, l.channel_cents, l.platform_borne_cents, l.partner_borne_cents, l.kind = 'ride_charge'
        order by count(*) desc limit ${differentMax}`.compile(k),
    ),
    db.read(scope, (k) =>
      shareRow.select`
        from split_line l
        cross join unnest(l.party_cents) with ordinality c (cents, at)
        join split_terms t on t.id = l.terms_id
        where ${where} and l.paid_cents > 0
        group by 1 order by 1`.compile(k),
    ),
    db.read(scope, (k) => refundRow.select`from split_line l where ${where} and l.paid_cents < 0`.compile(k)),
  ])
  const after = { feeCents: 0, borneCents: 0, ownerCents: 0, partyCents: terms.parties.map(() => 0) }
  const now = { feeCents: 0, borneCents: 0, ownerCents: 0 }
  let [charges, paidCents] = [0, 0]
  for (const group of groups) {
    const { charges: count, paid_cents: paid, platform_cents: platform, partner_cents: partner } = group
    const borne = -(platform + partner)
    charges += count
    paidCents += count * paid
    now.feeCents += group.fee_cents
    now.ownerCents += group.owner_cents
    now.borneCents += count * borne
    const parts = splitRide(terms, {
      paidCents: paid,
      channelCents: group.channel_cents,
      platformBorneCents: platform,
      partnerBorneCents: partner,
      isRide: group.is_ride,
    })
    after.feeCents += count * parts.feeCents
    after.ownerCents += count * parts.ownerCents
    after.borneCents += count * borne
    for (const [at, cents] of parts.partyCents.entries()) {
      after.partyCents[at] = (after.partyCents[at] ?? 0) + count * cents
    }
  }
  const { partyCents, ...rest } = after
  return {
    charges,
    paidCents,
    refundedCents: refunds?.cents ?? 0,
    now: { ...now, parties: shares.map(({ name, cents }) => ({ name, cents })) },
    after: { ...rest, parties: terms.parties.map(({ name }, at) => ({ name, cents: partyCents[at] ?? 0 })) },
  }
}
