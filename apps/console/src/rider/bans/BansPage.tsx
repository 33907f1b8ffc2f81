import { lazy, Suspense, useState, type ReactNode } from 'react'
import { emptyText } from '@saddle/contract/constants.ts'
import {
  banBatchMax,
  banEndpoints,
  banFields,
  banList,
  banStateLabels,
  type BanFilter,
  type ListedBan,
} from '@saddle/contract/rider/bans.ts'
import { loadChunk } from '#kit/chunk.tsx'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { days, many } from '#kit/list/filters/specs.tsx'
import { ListPage } from '#kit/list/ListPage.tsx'
import { Moment, type ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { Button } from '#kit/plain/Button.tsx'
import { Mark } from '#kit/ui/Mark.tsx'
import { Person } from '../parts/Person.tsx'
import { riderKeyword } from '#kit/ui/riderKeyword.ts'
import { LiftButton } from './LiftButton.tsx'

const BanDialog = lazy(() => loadChunk(() => import('./BanDialog.tsx')))

const bans = listOf({
  list: banList,
  call: banEndpoints.listBans,
  file: banEndpoints.exportBans,
  fields: banFields,
  usual: { states: ['active'] },
})

const isActive = ({ state }: ListedBan): boolean => state === 'active'

/** Who may not ride, since when, until when, and why. */
export default function BansPage(): ReactNode {
  const list = useList(bans)
  const [isAdding, setAdding] = useState(false)
  return (
    <>
      <ListPage
        list={list}
        title={t('黑名单')}
        actions={
          <Button look="primary" onClick={() => setAdding(true)}>
            {t('加入黑名单')}
          </Button>
        }
        filters={[riderKeyword(), many('states', t('状态'), banStateLabels), days(t('加入日期'))]}
        columns={() => columns(list.filter.states)}
        rowName={({ phone }) => phone}
        empty={t('黑名单中没有用户')}
        selectable={isActive}
        renderTools={(rows, done) => (
          <LiftButton riderIds={rows.slice(0, banBatchMax).map(({ riderId }) => riderId)} onDone={done} isMany />
        )}
      />
      {isAdding && (
        <Suspense fallback={null}>
          <BanDialog onClose={() => setAdding(false)} />
        </Suspense>
      )}
    </>
  )
}

const endedColumn = (): ColumnSpec<ListedBan> => ({
  key: 'lifted',
  title: t('解除'),
  render: (row) =>
    isActive(row)
      ? emptyText
      : [row.liftedBy ?? t('到期自动解除'), dateTime(row.liftedAt), row.liftReason].filter(Boolean).join(' · '),
})

/** How a ban ended is a column where the list is not only of those in effect. */
const columns = (states: BanFilter['states']): readonly ColumnSpec<ListedBan>[] => [
  {
    key: 'person',
    title: t('用户', { context: 'rider' }),
    card: 'head',
    render: (row) => <Person riderId={row.riderId} phone={row.phone} name={row.name} />,
  },
  {
    key: 'state',
    card: 'head',
    render: (row) => <Mark tone={isActive(row) ? 'bad' : 'off'}>{t(banStateLabels[row.state])}</Mark>,
  },
  'reason',
  'begunAt',
  { key: 'until', render: ({ until }) => (until === null ? t('永久') : <Moment at={until} />) },
  'by',
  'company',
  ...(states?.every((state) => state === 'active') === true ? [] : [endedColumn()]),
  {
    key: 'acts',
    title: t('操作'),
    card: 'head',
    render: (row) => (isActive(row) ? <LiftButton riderIds={[row.riderId]} /> : null),
  },
]
