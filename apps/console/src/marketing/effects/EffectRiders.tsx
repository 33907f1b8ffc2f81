import type { ReactNode } from 'react'
import {
  effectEndpoints,
  effectRiderFields,
  effectRiderList,
  type EffectArm,
  type EffectRider,
} from '@saddle/contract/marketing/effects.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { ListCard } from '#kit/list/ListCard.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { Button } from '#kit/plain/Button.tsx'
import { RiderLink } from '#kit/ui/RiderLink.tsx'

const compared = listOf({
  list: effectRiderList,
  call: effectEndpoints.listEffectRiders,
  file: effectEndpoints.exportEffectRiders,
  fields: effectRiderFields,
})

interface Props {
  readonly activityId: number
  readonly arm: EffectArm
  readonly onBack: () => void
}

/** The riders of one group of an activity, with the rides that the comparison counts. */
export function EffectRiders({ activityId, arm, onBack }: Props): ReactNode {
  const list = useList(compared, { fixed: { activityId, arm }, isInside: true })
  const title = arm === 'treated' ? t('触达用户') : t('对照用户')
  return (
    <>
      <p className="form-choices">
        <Button onClick={onBack}>{t('返回效果')}</Button>
        <span>{title}</span>
      </p>
      <ListCard
        list={list}
        label={title}
        columns={columns}
        rowName={({ phone }) => phone}
        empty={t('没有这样的用户')}
      />
    </>
  )
}

const columns = (): readonly ColumnSpec<EffectRider>[] => [
  { key: 'phone', card: 'head', render: ({ id, phone }) => <RiderLink riderId={id}>{phone}</RiderLink> },
  'ridesBefore',
  'rides',
  'cents',
  { key: 'registeredAt', isOptional: true },
]
