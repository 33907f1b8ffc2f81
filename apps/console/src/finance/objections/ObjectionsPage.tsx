import type { ReactNode } from 'react'
import {
  objectionBillKindLabels,
  objectionEndpoints,
  objectionFields,
  objectionList,
  objectionReasonLabels,
  objectionStateLabels,
  openObjectionStates,
  type Objection,
  type ObjectionFilter,
} from '@saddle/contract/finance/objections.ts'
import { serverNow } from '#kit/clock.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { days, keyword, many, tabbed } from '#kit/list/filters/specs.tsx'
import { ListPage } from '#kit/list/ListPage.tsx'
import { StateTabs } from '#kit/list/StateTabs.tsx'
import { Moment, type ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { Mark } from '#kit/ui/Mark.tsx'
import { objectionPath, objectionTones } from './words.ts'

const { listObjections, sumObjections, exportObjections } = objectionEndpoints
const objections = listOf({
  list: objectionList,
  call: listObjections,
  sums: sumObjections,
  file: exportObjections,
  fields: objectionFields,
})

/** What companies dispute of their bills; each opens its own page. */
export default function ObjectionsPage(): ReactNode {
  const list = useList(objections)
  return (
    <ListPage<Objection, ObjectionFilter>
      list={list}
      title={t('异议账单')}
      above={
        <StateTabs list={list} call={listObjections} name="states" title={t('状态')} labels={objectionStateLabels} />
      }
      filters={[
        tabbed('states'),
        keyword(t('公司、账单编号或说明'), 'word'),
        many('kinds', t('账单类型'), objectionBillKindLabels),
        many('reasons', t('异议原因'), objectionReasonLabels),
        days(t('提交日期')),
      ]}
      columns={columns}
      rowName={({ number }) => number}
      empty={t('没有异议')}
      toRow={({ id }) => objectionPath(id)}
    />
  )
}

const isOpen = ({ state }: Objection): boolean => openObjectionStates.some((one) => one === state)

const columns = (): readonly ColumnSpec<Objection>[] => [
  { key: 'number', card: 'head' },
  {
    key: 'state',
    card: 'head',
    render: ({ state }) => <Mark tone={objectionTones[state]}>{t(objectionStateLabels[state])}</Mark>,
  },
  'kind',
  'company',
  'reason',
  { key: 'text', card: 'wide' },
  'disputedCents',
  { key: 'acceptedCents', card: 'none' },
  { key: 'submittedAt', sort: 'submitted' },
  {
    key: 'deadlineAt',
    sort: 'deadline',
    render: (row) =>
      isOpen(row) && row.deadlineAt < serverNow() ? (
        <Mark tone="bad">{t('已超期')}</Mark>
      ) : isOpen(row) ? (
        <Moment at={row.deadlineAt} />
      ) : (
        '--'
      ),
  },
  { key: 'decidedBy', isOptional: true },
  { key: 'note', isOptional: true },
]
