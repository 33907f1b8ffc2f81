import { useCallback, useState, type ReactNode } from 'react'
import {
  couponBatchFields,
  couponBatchList,
  type CouponBatch,
  type CouponBatchFilter,
} from '@saddle/contract/marketing/couponBatches.ts'
import { couponEndpoints } from '@saddle/contract/marketing/coupons.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { ListCard } from '#kit/list/ListCard.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { notify } from '#kit/notify.ts'
import { Button } from '#kit/plain/Button.tsx'
import { CodeSheet, readCodes, type PrintedCodes } from './CodeSheet.tsx'
import { CouponList } from './CouponList.tsx'
import { RevokeBatchDialog } from './dialogs.tsx'

const batches = listOf({
  list: couponBatchList,
  call: couponEndpoints.listCouponBatches,
  file: couponEndpoints.exportCouponBatches,
  fields: couponBatchFields,
})

/** How coupons were issued, and what became of those of each batch. */
export function Batches({ fixed }: { readonly fixed: CouponBatchFilter }): ReactNode {
  const list = useList(batches, { fixed, isInside: true })
  const [revoked, setRevoked] = useState<CouponBatch | null>(null)
  const [shown, setShown] = useState<CouponBatch | null>(null)
  if (shown !== null) return <BatchCoupons batch={shown} onClose={() => setShown(null)} />
  return (
    <>
      <ListCard
        list={list}
        label={t('批次')}
        columns={() => columns({ revoke: setRevoked, show: setShown })}
        rowName={({ id }) => String(id)}
        empty={t('还没有发放过')}
      />
      {revoked !== null && <RevokeBatchDialog batch={revoked} onClose={() => setRevoked(null)} />}
    </>
  )
}

/** Each coupon of a batch with its holder; its codes to print or to export. */
function BatchCoupons({ batch, onClose }: { readonly batch: CouponBatch; readonly onClose: () => void }) {
  const [printed, setPrinted] = useState<PrintedCodes | null>(null)
  const [isReading, setReading] = useState(false)
  const print = async () => {
    setReading(true)
    // A page that cannot be read has already been reported.
    const codes = await readCodes(batch).catch(() => null)
    setReading(false)
    if (codes?.codes.length === 0) notify.warning({ title: t('没有可打印的兑换码'), text: t('都已领取、收回或过期') })
    else setPrinted(codes)
  }
  const done = useCallback(() => setPrinted(null), [])
  return (
    <>
      <p className="form-choices">
        <Button onClick={onClose}>{t('返回批次')}</Button>
        {batch.source === 'codes' && batch.open > 0 && (
          <Button busy={isReading} onClick={() => void print()}>
            {t('打印兑换码')}
          </Button>
        )}
        <span>{t('批次 {{id}}', { id: batch.id })}</span>
      </p>
      <CouponList fixed={{ batchId: batch.id }} />
      {printed !== null && <CodeSheet {...printed} onDone={done} />}
    </>
  )
}

interface Acts {
  readonly revoke: (batch: CouponBatch) => void
  readonly show: (batch: CouponBatch) => void
}

const columns = ({ revoke, show }: Acts): readonly ColumnSpec<CouponBatch>[] => [
  {
    key: 'id',
    card: 'head',
    render: (batch) => (
      <Button look="link" onClick={() => show(batch)}>
        {batch.id}
      </Button>
    ),
  },
  'source',
  { key: 'note', card: 'none' },
  'issued',
  'open',
  { key: 'used', card: 'none' },
  { key: 'claimed', isOptional: true },
  { key: 'expired', isOptional: true },
  { key: 'revoked', isOptional: true },
  { key: 'madeAt', card: 'none' },
  { key: 'madeBy', isOptional: true },
  {
    key: 'acts',
    title: t('操作'),
    card: 'wide',
    render: (batch) => (
      <>
        <Button onClick={() => show(batch)}>{t('查看持有人')}</Button>
        {batch.isRevoking ? (
          <span>{t('正在收回，还剩 {{count}} 张', { count: batch.open })}</span>
        ) : (
          <Button
            disabled={batch.open === 0}
            title={batch.open === 0 ? t('没有未使用的券可以收回') : undefined}
            onClick={() => revoke(batch)}
          >
            {t('收回未使用的')}
          </Button>
        )}
      </>
    ),
  },
]
