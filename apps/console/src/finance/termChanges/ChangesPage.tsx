import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { isRoutePermitted } from '@saddle/contract/menu.ts'
import { statementPeriodLabels } from '@saddle/contract/finance/splitRules.ts'
import {
  termChangeEndpoints,
  termChangeFields,
  termChangeKindLabels,
  termChangeList,
  type TermChange,
  type TermChangeFilter,
  type TermValue,
} from '@saddle/contract/finance/termChanges.ts'
import { money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { areas, days, keyword, many } from '#kit/list/filters/specs.tsx'
import { ListPage } from '#kit/list/ListPage.tsx'
import { Moment, type ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { usePermissions } from '#kit/session/permissions.ts'
import { withdrawalTermsText } from '../withdrawals/words.ts'
import { placeText, shareText } from '../splitRules/words.ts'
import './termChanges.css'

const { before: _before, after: _after, ...shownFields } = termChangeFields
const changes = listOf({
  list: termChangeList,
  call: termChangeEndpoints.listTermChanges,
  file: termChangeEndpoints.exportTermChanges,
  fields: shownFields,
  rowKey: ({ kind, agentId, areaId, number }) => `${kind} ${agentId} ${areaId ?? ''} ${number}`,
})

const logPath = '/operation/operator-log'

/** Who changed what a company gets and may, when and why, with what held before. */
export function ChangesPage({ tabs }: { readonly tabs: ReactNode }): ReactNode {
  const list = useList(changes)
  const { held } = usePermissions()
  return (
    <ListPage<TermChange, TermChangeFilter>
      list={list}
      title={t('变更记录')}
      actions={tabs}
      above={
        isRoutePermitted(logPath, held) && (
          <p className="split-quiet">
            {t('人员、角色与权限的变更见')} <Link to={logPath}>{t('操作员日志')}</Link>
          </p>
        )
      }
      filters={[
        keyword(t('修改人、加盟商、服务区或原因'), 'name'),
        many('kinds', t('变更内容'), termChangeKindLabels),
        days(t('修改日期')),
        areas('areaIds'),
      ]}
      columns={columns}
      rowName={placeText}
      empty={t('还没有变更')}
    />
  )
}

const columns = (): readonly ColumnSpec<TermChange>[] => [
  { key: 'madeAt', card: 'head', render: ({ madeAt }) => <Moment at={madeAt} /> },
  { key: 'kind', card: 'head' },
  { key: 'madeBy' },
  { key: 'company', title: t('加盟商与服务区'), card: 'wide', render: placeText },
  { key: 'after', title: t('变更'), card: 'wide', render: (row) => <Change {...row} /> },
  { key: 'reason', card: 'wide' },
]

function Change({ before, after }: Pick<TermChange, 'before' | 'after'>) {
  return (
    <span className="term-change">
      {before !== null && <del>{valueText(before)}</del>}
      <ins>{valueText(after)}</ins>
    </span>
  )
}

function valueText(value: TermValue): string {
  switch (value.kind) {
    case 'shares': {
      const { parties } = value.terms
      const shares = parties.map(({ name, share }) => `${name} ${shareText(share)}`).join(' · ')
      return t('{{day}} 起 {{shares}}', { day: value.firstDay, shares: shares === '' ? t('其余归加盟商') : shares })
    }
    case 'reserve':
      return t('{{yuan}} 元', { yuan: money(value.cents) })
    case 'statement_period':
      return t(statementPeriodLabels[value.period])
    case 'withdrawal':
      return withdrawalTermsText(value.terms)
  }
}
