import { lazy, Suspense, useState, type ReactNode } from 'react'
import { banBatchMax } from '@saddle/contract/rider/bans.ts'
import { certificateKindLabels } from '@saddle/contract/rider/certificates.ts'
import { balanceSpanLabels, riderStateLabels, type Rider } from '@saddle/contract/rider/riders.ts'
import { loadChunk } from '#kit/chunk.tsx'
import { t } from '#kit/i18n/index.ts'
import { days, keyword, many, one } from '#kit/list/filters/specs.tsx'
import { ListPage } from '#kit/list/ListPage.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { Button } from '#kit/plain/Button.tsx'
import { Mark } from '#kit/ui/Mark.tsx'
import { Permit } from '#kit/ui/Permit.tsx'
import { Person } from '../parts/Person.tsx'
import { readWord, wordOf } from '#kit/ui/riderWord.ts'
import { pathOfRider, riders } from './list.ts'

const BanDialog = lazy(() => loadChunk(() => import('../bans/BanDialog.tsx')))

/** Riders found by any combination of conditions. */
export function RiderList({ views }: { readonly views: ReactNode }): ReactNode {
  const list = useList(riders)
  return (
    <ListPage
      list={list}
      title={t('用户信息')}
      above={views}
      filters={[
        keyword(t('手机号、姓名、证件号或用户编号'), {
          names: ['phone', 'name', 'certNumber', 'riderId'],
          read: readWord,
          write: wordOf,
        }),
        one('state', t('状态'), riderStateLabels),
        one('certified', t('实名'), [
          { value: true, label: t('已实名') },
          { value: false, label: t('未实名') },
        ]),
        many('certificates', t('专业认证'), { ...certificateKindLabels, none: '没有专业认证' }),
        one('banned', t('黑名单'), [
          { value: true, label: t('在黑名单') },
          { value: false, label: t('不在黑名单') },
        ]),
        many('balances', t('余额'), balanceSpanLabels),
        days(list.sort.by === 'active' ? t('活跃日期') : t('注册日期')),
      ]}
      columns={columns}
      rowName={({ phone }) => phone}
      empty={t('还没有骑行用户')}
      toRow={pathOfRider}
      selectable
      renderTools={(rows, done) => (
        <BanRiders riderIds={rows.slice(0, banBatchMax).map(({ id }) => id)} onDone={done} />
      )}
    />
  )
}

function BanRiders({ riderIds, onDone }: { readonly riderIds: readonly number[]; readonly onDone: () => void }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Permit action="08">
      <Button onClick={() => setOpen(true)}>{t('把 {{count}} 位用户加入黑名单', { count: riderIds.length })}</Button>
      {isOpen && (
        <Suspense fallback={null}>
          <BanDialog riderIds={riderIds} onClose={() => setOpen(false)} onDone={onDone} />
        </Suspense>
      )}
    </Permit>
  )
}

/** Key facts about a rider; ordinary states are left out. */
function Marks({ rider }: { readonly rider: Rider }) {
  return (
    <span className="rider-marks">
      {rider.state === 'closed' && <Mark tone="off">{t(riderStateLabels.closed)}</Mark>}
      {rider.banned && <Mark tone="bad">{t('黑名单')}</Mark>}
      {rider.certified ? <Mark tone="good">{t('已实名')}</Mark> : <Mark tone="off">{t('未实名')}</Mark>}
      {rider.certificateKind !== null && <Mark tone="info">{t(certificateKindLabels[rider.certificateKind])}</Mark>}
    </span>
  )
}

const columns = (): readonly ColumnSpec<Rider>[] => [
  {
    key: 'person',
    title: t('用户', { context: 'rider' }),
    card: 'head',
    render: (row) => <Person riderId={row.id} phone={row.phone} name={row.name} />,
  },
  { key: 'marks', title: t('状态'), card: 'head', render: (row) => <Marks rider={row} /> },
  { key: 'id', card: 'none' },
  'company',
  'balanceCents',
  { key: 'giftCents', card: 'none' },
  { key: 'depositCents', card: 'none' },
  { key: 'registeredAt', sort: 'registered' },
  { key: 'lastActiveAt', sort: 'active' },
]
