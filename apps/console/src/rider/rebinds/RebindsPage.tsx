import type { ReactNode } from 'react'
import {
  rebindEndpoints,
  rebindFields,
  rebindKindLabels,
  rebindList,
  rebindStateLabels,
  type ListedRebind,
} from '@saddle/contract/rider/rebinds.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { days, many } from '#kit/list/filters/specs.tsx'
import { ListPage } from '#kit/list/ListPage.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { Person } from '../parts/Person.tsx'
import { riderKeyword } from '#kit/ui/riderKeyword.ts'
import { RebindMark } from './RebindMark.tsx'
import { RebindPanel } from './RebindPanel.tsx'

const rebinds = listOf({
  list: rebindList,
  call: rebindEndpoints.listRebinds,
  file: rebindEndpoints.exportRebinds,
  fields: rebindFields,
  usual: { states: ['waiting'] },
})

/** Riders who have another phone, or want the ID document of an older account of theirs. */
export default function RebindsPage(): ReactNode {
  const list = useList(rebinds)
  return (
    <ListPage
      list={list}
      title={t('实名换绑列表')}
      layout="queue"
      filters={[
        riderKeyword(),
        many('states', t('状态'), rebindStateLabels),
        many('kinds', t('换绑类型'), rebindKindLabels),
        days(t('申请日期')),
      ]}
      columns={columns}
      rowName={({ phone }) => phone}
      empty={t('没有待审核的换绑申请')}
      isWaiting={({ state }) => state === 'waiting'}
      renderPanel={(row, { goOn }) => <RebindPanel key={row.id} rebind={row} onDecided={goOn} />}
    />
  )
}

const columns = (): readonly ColumnSpec<ListedRebind>[] => [
  {
    key: 'person',
    title: t('用户', { context: 'rider' }),
    card: 'head',
    render: (row) => <Person riderId={row.riderId} phone={row.phone} name={row.name} />,
  },
  { key: 'state', card: 'head', render: ({ state }) => <RebindMark state={state} /> },
  'kind',
  { key: 'wanted', render: ({ wantedName, wanted }) => `${wantedName ?? ''} ${wanted}`.trim() },
  {
    key: 'holder',
    title: t('原持有人'),
    card: 'none',
    render: ({ holderId, holderPhone, holderName }) =>
      holderId === null || holderPhone === null ? (
        '--'
      ) : (
        <Person riderId={holderId} phone={holderPhone} name={holderName} />
      ),
  },
  { key: 'claim', card: 'none' },
  'askedAt',
  'decidedBy',
  'company',
  { key: 'reason', isOptional: true },
  { key: 'decidedAt', isOptional: true },
]
