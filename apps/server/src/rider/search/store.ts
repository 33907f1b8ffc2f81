import { sql, type RawBuilder } from 'kysely'
import { riderCells, type RiderFilter, type RiderSort } from '@saddle/contract/rider/riders.ts'
import type { Scope } from '#kit/db/scope.ts'
import { riderColumns, type RiderRow } from '../parts/rider.ts'
import { countOf, orderOf, pageOf, type Asked, type Listed } from '../parts/runs.ts'
import type { Place } from '../parts/place.ts'

export type RiderSearch = {
  readonly filter: RiderFilter
  /** Hashes of what was typed; absent: not asked for. */
  readonly phoneHash?: string | undefined
  readonly nameHash?: string | undefined
  readonly certHash?: string | undefined
  readonly sort: RiderSort
  readonly direction: 'asc' | 'desc'
  readonly after: Place | null
  readonly limit: number
  readonly scope: Scope
}

export type ListedRow = RiderRow & {
  company: string
  balance_cents: number
  gift_cents: number
  deposit_cents: number
  frozen_cents: number
}

const moneyKinds = ['rider_balance', 'rider_gift', 'rider_deposit', 'rider_deposit_frozen']
const cents = (kind: string): RawBuilder<unknown> =>
  sql`coalesce(sum(b.balance_cents) filter (where a.kind = ${kind}), 0)`
/** What the ledger has of the rider `r`; a handful of look-ups by key for each row that is shown. */
export const money = sql`cross join lateral (
  select ${cents('rider_balance')} as balance_cents, ${cents('rider_gift')} as gift_cents,
    ${cents('rider_deposit')} as deposit_cents, ${cents('rider_deposit_frozen')} as frozen_cents
  from ledger_account a join ledger_balance b on b.account_id = a.id
  where a.agent_id = r.agent_id and a.kind = any (${moneyKinds}::text[]) and a.owner_id = r.id
) m`

const columns = sql`${riderColumns}, agent.company, m.balance_cents::bigint, m.gift_cents::bigint,
  m.deposit_cents::bigint, m.frozen_cents::bigint`

/** Riders that meet the conditions, one page of them. */
export function selectRiders(search: RiderSearch) {
  const asked = askedOf(search)
  return sql<ListedRow>`
    select ${columns} from ${pageOf(listedOf(search), asked)}
    join rider r on r.id = p.id join agent on agent.id = r.agent_id ${money}
    order by ${orderOf(asked)}`
}

export const countRiders = (search: RiderSearch) => countOf(listedOf(search), askedOf(search))

export function selectRider({ riderId, scope }: { riderId: number; scope: Scope }) {
  return sql<ListedRow>`
    select ${columns} from rider r join agent on agent.id = r.agent_id ${money}
    where r.id = ${riderId} and r.agent_id = any (${scope.agentIds}::bigint[])`
}

function listedOf({ filter, phoneHash, nameHash, certHash, sort }: RiderSearch): Listed {
  const words = [
    ...(phoneHash === undefined ? [] : [sql`x.phone_hash = ${phoneHash}`]),
    ...(nameHash === undefined ? [] : [sql`x.name_hash = ${nameHash}`]),
    ...(certHash === undefined ? [] : [sql`x.cert_hash = ${certHash}`]),
  ]
  return {
    table: 'rider',
    at: sort === 'registered' ? 'created_at' : 'last_active_at',
    by: { column: 'cell', type: 'smallint', values: riderCells(filter) },
    riderId: 'id',
    // Whoever is looked for by name is found by the name: the runs would be read for it in vain.
    ...(words.length > 0 && { narrowed: sql.join(words, sql` and `) }),
  }
}

function askedOf({ filter, direction, after, limit, scope }: RiderSearch): Asked {
  return {
    from: filter.from,
    to: filter.to,
    direction,
    after,
    limit,
    agentIds: scope.agentIds,
    ...(filter.riderId !== undefined && { riderIds: [filter.riderId] }),
  }
}
