import { sql } from 'kysely'
import { statementPeriodLabels } from '@saddle/contract/finance/splitRules.ts'
import {
  termChangeFields,
  termChangeKindLabels,
  termChangeList,
  type TermChange,
  type TermChangeFilter,
  type TermValue,
  type termChangeEndpoints,
} from '@saddle/contract/finance/termChanges.ts'
import type { SplitTerms } from '@saddle/contract/finance/splitTerms.ts'
import { yuanText } from '@saddle/contract/money.ts'
import type { Handlers } from '#kit/call.ts'
import { builtJson, computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { serveComputedList } from '#kit/list/computedList.ts'
import type { MoneyDeps } from '../deps.ts'

const changesMax = 20_000

const changeRow = rowsOf(
  rowOfValues({
    kind: computed('text', sql`m.kind`),
    number: computed('bigint', sql`m.number`),
    made_at: computed('timestamptz', sql`m.made_at`),
    made_by: computed('text', sql`m.made_by`),
    reason: computed('text', sql`m.reason`),
    after: builtJson<TermChange['after']>(sql`m.value`),
    before: builtJson<TermChange['before']>(
      sql`lag(m.value) over (partition by m.kind, m.agent_id, m.area_id order by m.number)`,
    ),
  }).codes({ kind: termChangeKindLabels }),
  rowOf('agent', 'a', ['id as agent_id', 'company']),
  rowOf('service_area', 'r', ['id as area_id', 'name as area_name']).optional(),
)

/** Every version of what holds for the companies and areas of a scope, the newest first. */
function selectChanges(scope: Scope) {
  return changeRow.select`
    from (
      select 'shares' as kind, id as number, agent_id, area_id, made_at, made_by, reason,
        jsonb_build_object('kind', 'shares', 'firstDay', first_day, 'terms', terms) as value
      from split_terms
      union all
      select 'reserve', id, agent_id, null, made_at, made_by, reason, jsonb_build_object('kind', 'reserve', 'cents', cents)
      from split_reserve
      union all
      select 'statement_period', id, agent_id, null, made_at, made_by, reason,
        jsonb_build_object('kind', 'statement_period', 'period', period)
      from split_statement_period
      union all
      select 'withdrawal', version, agent_id, null, made_at, made_by, reason,
        jsonb_build_object('kind', 'withdrawal', 'terms', terms)
      from withdrawal_terms
    ) m
    join agent a on a.id = m.agent_id
    left join service_area r on r.id = m.area_id
    where m.agent_id = any (${scope.agentIds}::bigint[])
      and ((m.area_id is null and ${scope.areaIds.length > 0}) or m.area_id = any (${scope.areaIds}::bigint[]))
    order by m.made_at desc, m.kind, m.number desc limit ${changesMax}`
}

const changeOf = (row: RowOf<typeof changeRow>): TermChange => ({
  kind: row.kind,
  number: row.number,
  agentId: row.agent_id,
  company: row.company,
  areaId: row.area_id,
  areaName: row.area_name,
  madeAt: row.made_at.getTime(),
  madeBy: row.made_by,
  reason: row.reason,
  before: row.before,
  after: row.after,
})

function matches(row: TermChange, { kinds, agentIds, areaIds, from, to, name }: TermChangeFilter): boolean {
  const names = [row.company, row.areaName ?? '', row.madeBy, row.reason]
  return (
    (kinds === undefined || kinds.includes(row.kind)) &&
    (agentIds === undefined || agentIds.includes(row.agentId)) &&
    (areaIds === undefined || (row.areaId !== null && areaIds.includes(row.areaId))) &&
    (from === undefined || row.madeAt >= from) &&
    (to === undefined || row.madeAt < to) &&
    (name === undefined || names.some((text) => text.toLowerCase().includes(name.toLowerCase())))
  )
}

/** The parties with their shares, in words. */
export function sharesText({ parties }: Pick<SplitTerms, 'parties'>): string {
  return parties
    .map(({ name, share }) =>
      share.of === 'ride' ? `${name} ${yuanText(share.cents)} 元/笔` : `${name} ${share.basisPoints / 100}%`,
    )
    .join('；')
}

/** What holds, in the words of a file. */
function valueText(value: TermValue | null): string {
  if (value === null) return ''
  switch (value.kind) {
    case 'shares':
      return `${value.firstDay} 起 ${sharesText(value.terms) || '全部归加盟商'}`
    case 'reserve':
      return `${yuanText(value.cents)} 元`
    case 'statement_period':
      return statementPeriodLabels[value.period]
    case 'withdrawal': {
      const { isAllowed, minCents, dailyCents, feeCents, secondCents } = value.terms
      return [
        isAllowed ? '允许提现' : '暂停提现',
        `最低 ${yuanText(minCents)} 元`,
        `单日 ${yuanText(dailyCents)} 元`,
        `每笔手续费 ${yuanText(feeCents)} 元`,
        `单人每日 ${yuanText(secondCents)} 元以上需复核`,
      ].join('，')
    }
  }
}

/** Who changed what a company gets and may, when, why, and what held before. */
export function createChangeHandlers(deps: Pick<MoneyDeps, 'kit' | 'audit'>): Handlers<typeof termChangeEndpoints> {
  const list = serveComputedList(deps, termChangeList, {
    name: 'term-changes',
    all: async (filter, { scope }) => {
      const rows = await deps.kit.db.read(scope, (k) => selectChanges(scope).compile(k))
      return rows.map(changeOf).filter((row) => matches(row, filter))
    },
    sorted: (rows, _sort, direction) => {
      const newest = rows as readonly TermChange[]
      return direction === 'asc' ? newest.toReversed() : newest
    },
    file: {
      action: 'split.changes_export',
      fields: termChangeFields,
      present: (row) => ({ ...row, before: valueText(row.before), after: valueText(row.after) }),
    },
  })
  return { listTermChanges: list.page, exportTermChanges: list.file }
}
