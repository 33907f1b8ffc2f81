import { sql, type RawBuilder } from 'kysely'
import {
  splitBillList,
  splitBillStates,
  splitStatementList,
  type SplitBill,
  type SplitBillFilter,
  type SplitGroup,
  type SplitGrouping,
} from '@saddle/contract/finance/splitBills.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { daysOf } from '#kit/list/businessDays.ts'
import { tableList } from '#kit/list/tableList.ts'

/** A day of a company settles as a whole, with the settlement that leaves nothing held. */
const settlements = sql`from split_settlement s where s.agent_id = b.agent_id and s.day = b.day`
const isSettled = sql`exists (select ${settlements} and s.held_cents = 0)`
const hasSettlement = sql`exists (select ${settlements})`
const stateText = sql`case when ${isSettled} then 'settled' when ${hasSettlement} then 'held' else 'in_transit' end`
const partiesCents = sql`b.paid_cents - b.fee_cents - b.platform_borne_cents - b.partner_borne_cents - b.owner_cents`

const billRow = rowsOf(
  rowOf('split_bill', 'b', [
    'id',
    'day',
    'agent_id',
    'area_id',
    'lines',
    'paid_cents',
    'fee_cents',
    'platform_borne_cents',
    'partner_borne_cents',
    'owner_cents',
    'parties',
    'closed_at',
    'hash',
  ]).json<{ parties: SplitBill['parties'] }>(),
  rowOf('agent', 'a', ['company']),
  rowOf('service_area', 'r', ['name as area_name']).optional(),
  rowOf('split_settlement', 'l', ['settled_at', 'held_cents', 'held_for'])
    .json<{ held_for: SplitBill['heldFor'] }>()
    .optional(),
  rowOfValues({ state: computed('text', stateText), parties_cents: computed('bigint', partiesCents) }),
).codes({ state: splitBillStates })

/** Income of no area is shown to whoever has an area of the selection: an empty selection reaches nothing. */
export const inScope = ({ agentIds, areaIds }: Pick<Scope, 'agentIds' | 'areaIds'>): RawBuilder<unknown> => sql`(
  b.agent_id = any (${agentIds}::bigint[])
    and ((b.area_id is null and ${areaIds.length > 0}) or b.area_id = any (${areaIds}::bigint[])))`

function conditionsOf(filter: SplitBillFilter): (RawBuilder<unknown> | false)[] {
  const { id, agentIds, areaIds, partyId, states } = filter
  const { firstDay, lastDay } = daysOf(filter)
  return [
    id !== undefined && sql`b.id = ${id}`,
    agentIds !== undefined && sql`b.agent_id = any (${agentIds}::bigint[])`,
    areaIds !== undefined && sql`b.area_id = any (${areaIds}::bigint[])`,
    partyId !== undefined && sql`b.parties @> ${JSON.stringify([{ partyId }])}::jsonb`,
    states !== undefined && sql`(${stateText}) = any (${states}::text[])`,
    firstDay !== undefined && sql`b.day >= ${firstDay}::date`,
    lastDay !== undefined && sql`b.day <= ${lastDay}::date`,
  ]
}

export const billRows = tableList(splitBillList, {
  table: 'split_bill',
  alias: 'b',
  tenant: inScope,
  columns: billRow,
  joins: sql`
    join agent a on a.id = b.agent_id
    left join service_area r on r.id = b.area_id
    left join lateral (select s.* ${settlements} order by s.number desc limit 1) l on true`,
  sorts: { day: ['day', 'day'] },
  find: (filter: SplitBillFilter) => ({ where: conditionsOf(filter) }),
  sums: {
    paidCents: sql`b.paid_cents`,
    feeCents: sql`b.fee_cents`,
    partiesCents,
    ownerCents: sql`b.owner_cents`,
  },
})

export function billOf(row: RowOf<typeof billRow>): SplitBill {
  const { hash, held_cents: heldCents, held_for: heldFor, ...bill } = row
  return {
    ...billRow.present({ ...bill, hash, held_cents: heldCents, held_for: heldFor }),
    hash: hash.toString('hex'),
    heldCents: heldCents ?? 0,
    heldFor: heldFor ?? [],
  }
}

const whereOf = (scope: Scope, filter: SplitBillFilter): RawBuilder<unknown> =>
  sql.join([inScope(scope), ...conditionsOf(filter).filter((condition) => condition !== false)], sql` and `)

const sums = {
  bills: computed('bigint', sql`count(*)`),
  lines: computed('bigint', sql`coalesce(sum(b.lines), 0)`),
  paid_cents: computed('bigint', sql`coalesce(sum(b.paid_cents), 0)`),
  fee_cents: computed('bigint', sql`coalesce(sum(b.fee_cents), 0)`),
  platform_borne_cents: computed('bigint', sql`coalesce(sum(b.platform_borne_cents), 0)`),
  partner_borne_cents: computed('bigint', sql`coalesce(sum(b.partner_borne_cents), 0)`),
  parties_cents: computed('bigint', sql`coalesce(sum(${partiesCents}), 0)`),
  owner_cents: computed('bigint', sql`coalesce(sum(b.owner_cents), 0)`),
}
export const totalsRow = rowOfValues({ ...sums, companies: computed('bigint', sql`count(distinct b.agent_id)`) })

export const selectTotals = (scope: Scope, filter: SplitBillFilter) =>
  totalsRow.select`from split_bill b where ${whereOf(scope, filter)}`

const groupRow = rowOfValues({
  agent_id: computed('bigint?', sql`g.agent_id`),
  area_id: computed('bigint?', sql`g.area_id`),
  day: computed('date?', sql`g.day`),
  party_id: computed('bigint?', sql`g.party_id`),
  name: computed('text', sql`g.name`),
  bills: computed('bigint', sql`g.bills`),
  lines: computed('bigint', sql`g.lines`),
  paid_cents: computed('bigint', sql`g.paid_cents`),
  fee_cents: computed('bigint', sql`g.fee_cents`),
  platform_borne_cents: computed('bigint', sql`g.platform_borne_cents`),
  partner_borne_cents: computed('bigint', sql`g.partner_borne_cents`),
  parties_cents: computed('bigint', sql`g.parties_cents`),
  owner_cents: computed('bigint', sql`g.owner_cents`),
  settled_cents: computed('bigint', sql`g.settled_cents`),
})

/** What is grouped by: the columns, in the order company, area, day, party and name, and what the groups are ordered by. */
const groupings: Readonly<Record<SplitGrouping, { columns: RawBuilder<unknown>; order: RawBuilder<unknown> }>> = {
  company: {
    columns: sql`b.agent_id, null::bigint, null::date, null::bigint, a.company`,
    order: sql`paid_cents desc, agent_id`,
  },
  area: {
    columns: sql`b.agent_id, b.area_id, null::date, null::bigint, coalesce(r.name, a.company)`,
    order: sql`paid_cents desc, agent_id, area_id`,
  },
  day: { columns: sql`null::bigint, null::bigint, b.day, null::bigint, b.day::text`, order: sql`day desc` },
  party: {
    columns: sql`b.agent_id, null::bigint, null::date, (p.party ->> 'partyId')::bigint, p.party ->> 'name'`,
    order: sql`parties_cents desc, party_id`,
  },
}

/** Bills summed by company, area, day or party. A party has what bills give it; the other parts are the bills' own. */
export function selectGroups(
  scope: Scope,
  { by, filter, limit }: { readonly by: SplitGrouping; readonly filter: SplitBillFilter; readonly limit: number },
) {
  const { columns, order } = groupings[by]
  const shared = by === 'party' ? sql`(p.party ->> 'cents')::bigint` : partiesCents
  return groupRow.select`
    from (
      select t.* from (
        select ${columns}, count(*), sum(b.lines), sum(b.paid_cents), sum(b.fee_cents), sum(b.platform_borne_cents),
          sum(b.partner_borne_cents), sum(${shared}), sum(b.owner_cents),
          coalesce(sum(b.owner_cents) filter (where ${isSettled}), 0)
        from split_bill b
        join agent a on a.id = b.agent_id
        left join service_area r on r.id = b.area_id
        ${by === 'party' ? sql`cross join lateral jsonb_array_elements(b.parties) p (party)` : sql``}
        where ${whereOf(scope, filter)}
        group by 1, 2, 3, 4, 5
      ) t (agent_id, area_id, day, party_id, name, bills, lines, paid_cents, fee_cents, platform_borne_cents,
        partner_borne_cents, parties_cents, owner_cents, settled_cents)
      order by ${order} limit ${limit}
    ) g`
}

export const groupOf = (row: RowOf<typeof groupRow>): SplitGroup => groupRow.present(row)

const correctedRow = rowOf('split_bill', 'b', ['id', 'agent_id', 'area_id', 'day'])

/** A bill of the scope. */
export const selectBill = (scope: Scope, id: number) =>
  correctedRow.select`from split_bill b where b.id = ${id} and ${inScope(scope)}`

const balancesRow = rowOfValues({
  in_transit: computed('bigint', sql`coalesce(sum(v.balance_cents) filter (where c.kind = 'agent_in_transit'), 0)`),
  available: computed('bigint', sql`coalesce(sum(v.balance_cents) filter (where c.kind = 'agent_available'), 0)`),
  withdrawing: computed('bigint', sql`coalesce(sum(v.balance_cents) filter (where c.kind = 'agent_withdrawing'), 0)`),
  reserve: computed('bigint', sql`coalesce(sum(v.balance_cents) filter (where c.kind = 'agent_reserve'), 0)`),
  receivable: computed('bigint', sql`coalesce(-sum(v.balance_cents) filter (where c.kind = 'agent_receivable'), 0)`),
})

/** What the ledger has now of the companies' own parts. */
export const selectBalances = (scope: Scope, agentIds: readonly number[]) =>
  balancesRow.select`
    from ledger_account c join ledger_balance v on v.account_id = c.id
    where c.agent_id = any (${agentIds}::bigint[]) and c.agent_id = any (${scope.agentIds}::bigint[])`

const openRow = rowOfValues({ day: computed('date?', sql`min(c.open_day)`) })

export const selectOpenDay = (scope: Scope, agentIds: readonly number[]) =>
  openRow.select`
    from split_cursor c
    where c.agent_id = any (${agentIds}::bigint[]) and c.agent_id = any (${scope.agentIds}::bigint[])`

const statementRow = rowOf('split_statement', 's', [
  'id',
  'agent_id',
  'company',
  'first_day',
  'last_day',
  'bills',
  'lines',
  'paid_cents',
  'fee_cents',
  'borne_cents',
  'parties_cents',
  'owner_cents',
  'corrections_cents',
  'sealed_at',
  'hash',
])

export const statementRows = tableList(splitStatementList, {
  table: 'split_statement',
  alias: 's',
  tenant: 'agent',
  columns: statementRow,
  sorts: { lastDay: ['last_day', 'day'] },
  find: ({ agentIds }) => ({ agentIds }),
})

export const statementOf = (row: RowOf<typeof statementRow>) => ({
  ...statementRow.present(row),
  hash: row.hash.toString('hex'),
})
