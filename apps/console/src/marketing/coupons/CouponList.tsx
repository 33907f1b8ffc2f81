import { useState, type ReactNode } from 'react'
import { phonePattern } from '@saddle/contract/constants.ts'
import {
  couponCodeSchema,
  couponEndpoints,
  couponFields,
  couponList,
  type Coupon,
  type CouponFilter,
} from '@saddle/contract/marketing/coupons.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { days, keyword } from '#kit/list/filters/specs.tsx'
import { ListCard } from '#kit/list/ListCard.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { Button } from '#kit/plain/Button.tsx'
import { OrderLink } from '#kit/ui/OrderLink.tsx'
import { RiderLink } from '#kit/ui/RiderLink.tsx'
import { RevokeDialog } from './dialogs.tsx'

const coupons = listOf({
  list: couponList,
  call: couponEndpoints.listCoupons,
  sums: couponEndpoints.sumCoupons,
  file: couponEndpoints.exportCoupons,
  fields: couponFields,
})

/** Coupons of a kind or batch: who holds which, and what became of it. */
export function CouponList({ fixed }: { readonly fixed: CouponFilter }): ReactNode {
  const list = useList(coupons, { fixed, isInside: true })
  const [revoked, setRevoked] = useState<readonly Coupon[]>([])
  return (
    <>
      <ListCard
        list={list}
        label={t('优惠券列表')}
        filters={[
          keyword(t('手机号、用户编号或兑换码'), {
            names: ['phone', 'riderId', 'code'],
            read: readHolder,
            write: writeHolder,
          }),
          days(t('发放日期')),
        ]}
        columns={columns}
        rowName={({ id }) => String(id)}
        empty={t('没有这样的优惠券')}
        selectable={({ state }) => state === 'open'}
        renderTools={(rows) => (
          <Button onClick={() => setRevoked(rows)}>{t('收回 {{count}} 张', { count: rows.length })}</Button>
        )}
      />
      {revoked.length > 0 && (
        <RevokeDialog ids={revoked.map(({ id }) => id)} onClose={() => setRevoked([])} onDone={() => list.choose([])} />
      )}
    </>
  )
}

/** Who holds it, or its code. */
function readHolder(typed: string): { phone?: string; riderId?: number; code?: string } {
  const word = typed.trim()
  if (word === '') return {}
  if (phonePattern.test(word)) return { phone: word }
  const code = couponCodeSchema.safeParse(word)
  if (code.success) return { code: code.data }
  return /^[1-9]\d{0,14}$/.test(word) ? { riderId: Number(word) } : {}
}

const writeHolder = ({ phone, riderId, code }: CouponFilter): string => phone ?? riderId?.toString() ?? code ?? ''

const columns = (): readonly ColumnSpec<Coupon>[] => [
  {
    key: 'riderId',
    title: t('骑行者'),
    card: 'head',
    render: ({ riderId, phone }) =>
      riderId === null ? '--' : <RiderLink riderId={riderId}>{phone ?? riderId}</RiderLink>,
  },
  'code',
  'state',
  'issuedAt',
  'endsAt',
  'usedAt',
  'savedCents',
  {
    key: 'orderNumber',
    isOptional: true,
    render: ({ orderId, orderNumber }) => <OrderLink orderId={orderId} number={orderNumber} />,
  },
  { key: 'revokeReason', isOptional: true },
]
