import { sql } from 'kysely'
import { riderCells, riderList } from '@saddle/contract/rider/riders.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { spanOf, tableList } from '#kit/list/tableList.ts'
import { riderColumns } from '../parts/rider.ts'

/** Hashes of what was typed; absent: not asked for. */
export interface RiderHashes {
  readonly phoneHash: string | undefined
  readonly nameHash: string | undefined
  readonly certHash: string | undefined
}

const moneyKinds = ['rider_balance', 'rider_gift', 'rider_deposit', 'rider_deposit_frozen']
const centsOf = (kind: string) =>
  computed('bigint', sql`coalesce(sum(b.balance_cents) filter (where a.kind = ${kind}), 0)`)
const money = rowOfValues({
  balance_cents: centsOf('rider_balance'),
  gift_cents: centsOf('rider_gift'),
  deposit_cents: centsOf('rider_deposit'),
  frozen_cents: centsOf('rider_deposit_frozen'),
})
const columns = rowsOf(
  riderColumns,
  rowOf('agent', 'agent', ['company']),
  rowOfValues({
    balance_cents: computed('bigint', sql`m.balance_cents`),
    gift_cents: computed('bigint', sql`m.gift_cents`),
    deposit_cents: computed('bigint', sql`m.deposit_cents`),
    frozen_cents: computed('bigint', sql`m.frozen_cents`),
  }),
)
export type ListedRow = RowOf<typeof columns>

/** What the ledger has of the rider `r`: a handful of look-ups by key for each row that is shown. */
const joins = sql`join agent on agent.id = r.agent_id cross join lateral (${money.select`
  from ledger_account a join ledger_balance b on b.account_id = a.id
  where a.agent_id = r.agent_id and a.kind = any (${moneyKinds}::text[]) and a.owner_id = r.id`}) m`

export const riderRows = tableList(riderList, {
  table: 'rider',
  alias: 'r',
  tenant: 'agent',
  columns,
  joins,
  sorts: { registered: ['created_at', 'instant'], active: ['last_active_at', 'instant'] },
  find: (filter, { phoneHash, nameHash, certHash }: RiderHashes, { sort }) => ({
    runs: { column: 'cell', type: 'smallint', values: riderCells(filter) },
    narrowed: [
      filter.riderId !== undefined && sql`r.id = ${filter.riderId}`,
      phoneHash !== undefined && sql`r.phone_hash = ${phoneHash}`,
      nameHash !== undefined && sql`r.name_hash = ${nameHash}`,
      certHash !== undefined && sql`r.cert_hash = ${certHash}`,
    ],
    where: spanOf(sort === 'active' ? 'r.last_active_at' : 'r.created_at', filter),
  }),
})

export function selectRider({ riderId, scope }: { riderId: number; scope: Scope }) {
  return columns.select`
    from rider r ${joins} where r.id = ${riderId} and r.agent_id = any (${scope.agentIds}::bigint[])`
}
