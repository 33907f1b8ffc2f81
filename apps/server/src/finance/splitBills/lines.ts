import { sql, type RawBuilder } from 'kysely'
import type { splitLineList, SplitLine, SplitLineFilter } from '@saddle/contract/finance/splitBills.ts'
import type { SplitTerms } from '@saddle/contract/finance/splitTerms.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { CountedRows, ListQuery } from '#kit/list/serveList.ts'
import { daysOf } from '#kit/list/businessDays.ts'

type L = typeof splitLineList
type Query = ListQuery<L, unknown>

/** Companies and areas whose lines are read as runs of one index each; beyond it one run over all is read by the day. */
const runsMax = 400
/** A charge and its refunds. */
const linesOfOrderMax = 200

const lineRow = rowsOf(
  rowOf('split_line', 'l', [
    'agent_id',
    'entry_number',
    'area_id',
    'day',
    'at',
    'kind',
    'order_id',
    'terms_id',
    'paid_cents',
    'channel_cents',
    'fee_cents',
    'platform_borne_cents',
    'partner_borne_cents',
    'parties_cents',
    'owner_cents',
    'party_cents',
  ]),
  rowOf('agent', 'a', ['company']),
  rowOf('service_area', 'r', ['name as area_name']).optional(),
  rowOf('split_terms', 't', ['version as terms_version', 'terms']).optional(),
  rowOfValues({ key_day: computed('text', sql`l.day`) }),
)
type LineRow = RowOf<typeof lineRow>

/** What a line must meet beside its tenant. */
function conditionsOf({ filter, after, direction }: Query): RawBuilder<unknown>[] {
  const { kinds, orderId } = filter
  const { firstDay, lastDay } = daysOf(filter)
  const [day, number, agentId] = after ?? []
  const isBehind = sql.raw(direction === 'asc' ? '>' : '<')
  return [
    kinds !== undefined && sql`l.kind = any (${kinds}::text[])`,
    // Tells the database that the index of rare lines has all of them.
    isRare(filter) && sql`l.kind <> 'ride_charge'`,
    orderId !== undefined && sql`l.order_id = ${orderId}`,
    firstDay !== undefined && sql`l.day >= ${firstDay}::date`,
    lastDay !== undefined && sql`l.day <= ${lastDay}::date`,
    after !== null &&
      sql`(l.day, l.entry_number, l.agent_id) ${isBehind} (${day}::date, ${number}::bigint, ${agentId}::bigint)`,
  ].filter((condition) => condition !== false)
}

const isRare = ({ kinds }: SplitLineFilter): boolean => kinds !== undefined && !kinds.includes('ride_charge')

/** The companies and areas that are asked for; `hasOfCompany`: also income of no area. */
function tenantsOf({ filter, scope }: Pick<Query, 'filter' | 'scope'>) {
  const { agentIds, areaIds, isOfCompany } = filter
  const agents = scope.agentIds.filter((id) => agentIds === undefined || agentIds.includes(id))
  const areas = isOfCompany === true ? [] : scope.areaIds.filter((id) => areaIds === undefined || areaIds.includes(id))
  return { agents, areas, hasOfCompany: areaIds === undefined && isOfCompany !== false && scope.areaIds.length > 0 }
}

const keys = sql`l.agent_id, l.entry_number, l.day`
const orderOf = (alias: string, direction: Query['direction']): RawBuilder<unknown> =>
  sql.raw(['day', 'entry_number', 'agent_id'].map((name) => `${alias}.${name} ${direction}`).join(', '))

function inTenants({ agents, areas, hasOfCompany }: ReturnType<typeof tenantsOf>): RawBuilder<unknown> {
  const ofCompany = hasOfCompany ? sql`l.area_id is null or` : sql``
  return sql`l.agent_id = any (${agents}::bigint[]) and (${ofCompany} l.area_id = any (${areas}::bigint[]))`
}

/** Keys of the lines that are asked for, unordered where several runs are joined. */
function keysOf(query: Query, isOrdered: boolean): RawBuilder<unknown> {
  const { filter, limit, direction } = query
  const tenants = tenantsOf(query)
  const { agents, areas, hasOfCompany } = tenants
  const where = (head: RawBuilder<unknown>) => sql.join([head, ...conditionsOf(query)], sql` and `)
  const run = (head: RawBuilder<unknown>, order: RawBuilder<unknown>) => sql`
    select ${keys} from split_line l where ${where(head)} ${isOrdered ? sql`order by ${order}` : sql``} limit ${limit}`
  const byNumber = sql.raw(`l.day ${direction}, l.entry_number ${direction}`)
  if (filter.orderId !== undefined) return run(inTenants(tenants), orderOf('l', direction))
  if (isRare(filter)) {
    return sql`
      select k.* from unnest(${agents}::bigint[]) g (id)
      cross join lateral (${run(sql`l.agent_id = g.id and ${inTenants(tenants)}`, byNumber)}) k`
  }
  if (agents.length + areas.length > runsMax) return run(inTenants(tenants), orderOf('l', direction))
  // Bare columns: under row level security an index of an expression is not searched unless the expression cannot leak.
  return sql`
    select k.* from service_area r
    cross join lateral (${run(sql`l.agent_id = r.agent_id and l.area_id = r.id`, byNumber)}) k
    where r.id = any (${areas}::bigint[]) and r.agent_id = any (${agents}::bigint[])
    union all
    select k.* from unnest(${hasOfCompany ? agents : []}::bigint[]) g (id)
    cross join lateral (${run(sql`l.agent_id = g.id and l.area_id is null`, sql`${sql.raw(`l.area_id ${direction}`)}, ${byNumber}`)}) k`
}

/** The list of lines: by day, then by the numbers of the books, over companies and areas. */
export const lineRows: CountedRows<L, unknown, LineRow> = {
  keys: { day: ['day', 'id', 'id'] },
  select: (query) =>
    lineRow.select`
      from (select f.* from (${keysOf(query, true)}) f order by ${orderOf('f', query.direction)} limit ${query.limit}) p
      join split_line l on l.agent_id = p.agent_id and l.entry_number = p.entry_number
      join agent a on a.id = l.agent_id
      left join service_area r on r.id = l.area_id
      left join split_terms t on t.id = l.terms_id
      order by ${orderOf('p', query.direction)}`,
  count: (query) => sql`
    select count(*) as count from (select from (${keysOf(query, false)}) f limit ${query.limit}) c`,
  cursorOf: (row) => [row.key_day, row.entry_number, row.agent_id],
}

/** Every line of an order of the scope. */
export const selectLinesOfOrder = (
  { agentIds, areaIds }: Pick<Query['scope'], 'agentIds' | 'areaIds'>,
  orderId: number,
) =>
  lineRow.select`
    from split_line l
    join agent a on a.id = l.agent_id
    left join service_area r on r.id = l.area_id
    left join split_terms t on t.id = l.terms_id
    where l.order_id = ${orderId} and l.agent_id = any (${agentIds}::bigint[]) and l.area_id = any (${areaIds}::bigint[])
    order by l.entry_number limit ${linesOfOrderMax}`

export function lineOf(row: LineRow): SplitLine {
  const { terms, party_cents: partyCents, key_day: _, ...line } = row
  const parties = (terms as SplitTerms | null)?.parties ?? []
  return {
    agentId: line.agent_id,
    entryNumber: line.entry_number,
    company: line.company,
    areaId: line.area_id,
    areaName: line.area_name,
    day: line.day,
    at: line.at.getTime(),
    kind: line.kind,
    orderId: line.order_id,
    termsId: line.terms_id,
    termsVersion: line.terms_version,
    paidCents: line.paid_cents,
    channelCents: line.channel_cents,
    feeCents: line.fee_cents,
    platformBorneCents: line.platform_borne_cents,
    partnerBorneCents: line.partner_borne_cents,
    partiesCents: line.parties_cents,
    ownerCents: line.owner_cents,
    parties: partyCents.map((cents, at) => ({
      partyId: parties[at]?.partyId ?? 1,
      name: parties[at]?.name ?? '',
      cents,
    })),
  }
}
