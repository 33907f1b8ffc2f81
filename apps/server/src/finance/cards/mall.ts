import type { z } from 'zod'
import type { riderMoneyEndpoints } from '@saddle/contract/finance/riderMoney.ts'
import { cardColours } from '@saddle/contract/finance/cardTerms.ts'
import { codeOf } from '#kit/codes.ts'
import { scopeOfAgent } from '#kit/db/scope.ts'
import { leftOf, selectOffered } from '../cardProducts/store.ts'
import type { MoneyDeps } from '../deps.ts'
import type { Who } from '../wallet/who.ts'
import { readCards } from './cards.ts'
import { selectBought } from './store.ts'

type Mall = z.input<typeof riderMoneyEndpoints.offeredCards.output>['data']

/** What a rider can buy, and the cards that the rider has. */
export async function readMall(
  deps: Pick<MoneyDeps, 'kit'>,
  { agentId, who, areaId }: { agentId: number; who: Who | null; areaId: number | undefined },
): Promise<Mall> {
  const { kit } = deps
  const scope = scopeOfAgent(agentId)
  const at = new Date(kit.clock.now())
  const rows = await kit.db.read(scope, (k) => selectOffered({ agentId, areaId, at }).compile(k))
  const ids = rows.map(({ id }) => id)
  const [bought, mine] =
    who === null
      ? [[], []]
      : await Promise.all([kit.db.read(scope, (k) => selectBought(who, ids).compile(k)), readCards(deps, who)])
  const boughtOf = new Map(bought.map((row) => [row.product_id, row.count]))
  const offered = rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    name: row.name,
    priceCents: row.price_cents,
    days: row.days,
    rides: row.rides,
    freeMinutes: row.free_minutes,
    ridesPerDay: row.rides_per_day,
    percentOff: row.percent_off,
    maxOffCents: row.max_off_cents,
    areaIds: row.area_ids,
    wasPriceCents: row.was_price_cents,
    left: leftOf(row),
    leftForRider: row.rider_max === null ? null : Math.max(0, row.rider_max - (boughtOf.get(row.id) ?? 0)),
    onTo: row.on_to?.getTime() ?? null,
    badge: row.badge,
    slogan: row.slogan,
    colour: codeOf(cardColours, row.colour),
  }))
  return { offered, mine }
}
