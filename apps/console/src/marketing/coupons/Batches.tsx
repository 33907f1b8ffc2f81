import { useState, type ReactNode } from 'react'
import {
  couponBatchFields,
  couponBatchList,
  couponEndpoints,
  type CouponBatch,
} from '@saddle/contract/marketing/coupons.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { ListCard } from '#kit/list/ListCard.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { Button } from '#kit/plain/Button.tsx'
import { RevokeBatchDialog } from './dialogs.tsx'

const batches = listOf({
  list: couponBatchList,
  call: couponEndpoints.listCouponBatches,
  file: couponEndpoints.exportCouponBatches,
  fields: couponBatchFields,
})

/** How coupons of a kind were issued, and what became of those of each batch. */
export function Batches({ templateId }: { templateId: number }): ReactNode {
  const list = useList(batches, { fixed: { templateId }, isInside: true })
  const [revoked, setRevoked] = useState<CouponBatch | null>(null)
  return (
    <>
      <ListCard
        list={list}
        label={t('批次')}
        columns={() => columns(setRevoked)}
        rowName={({ id }) => String(id)}
        empty={t('还没有发放过')}
      />
      {revoked !== null && <RevokeBatchDialog batch={revoked} onClose={() => setRevoked(null)} />}
    </>
  )
}

const columns = (revoke: (batch: CouponBatch) => void): readonly ColumnSpec<CouponBatch>[] => [
  { key: 'id', card: 'head' },
  'source',
  'note',
  'issued',
  'open',
  'used',
  { key: 'claimed', isOptional: true },
  { key: 'expired', isOptional: true },
  { key: 'revoked', isOptional: true },
  'madeAt',
  { key: 'madeBy', isOptional: true },
  {
    key: 'acts',
    title: t('操作'),
    render: (batch) => batch.open > 0 && <Button onClick={() => revoke(batch)}>{t('收回未使用的')}</Button>,
  },
]
