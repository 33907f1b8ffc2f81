import { lazy, Suspense, useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { paymentChannelLabels, purposeLabels } from '@saddle/contract/finance/payments.ts'
import { walletEndpoints, type ChannelRefund, type RiderPayment } from '@saddle/contract/finance/wallet.ts'
import { loadChunk } from '#kit/chunk.tsx'
import { dateTime, money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Pager } from '#kit/list/Pager.tsx'
import { usePages } from '#kit/list/usePages.ts'
import { notify } from '#kit/notify.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Permit } from '#kit/ui/Permit.tsx'
import { Empty, ErrorState, Loading } from '#kit/ui/states.tsx'
import { Mark } from '#kit/ui/Mark.tsx'
import type { AmountAct } from './AmountDialog.tsx'
import { RefundMark } from './MoneyMark.tsx'
import { ReturnRefund } from './ReturnRefund.tsx'
import { useMoneyAct } from './useMoney.ts'
import { useRetry } from './useRetry.ts'

const AmountDialog = lazy(() => loadChunk(() => import('./AmountDialog.tsx')))
const pageSize = 10

/** What the rider paid through a channel, and what went back the same way. */
export function Payments({ riderId }: { riderId: number }): ReactNode {
  const pages = usePages(String(riderId))
  const input = { riderId, pageSize, ...(pages.cursor !== undefined && { cursor: Number(pages.cursor) }) }
  const { data, error, isPlaceholderData, refetch } = useEndpoint(walletEndpoints.riderPayments, input, {
    keepPrevious: true,
  })
  const page = data?.data
  if (page === undefined) {
    return error === null ? <Loading /> : <ErrorState error={error} onRetry={() => void refetch()} />
  }
  if (page.list.length === 0 && pages.page === 0) return <Empty title={t('没有经支付渠道付过款')} />
  return (
    <>
      <ul className="money-list" aria-busy={isPlaceholderData}>
        {page.list.map((payment) => (
          <One key={payment.id} payment={payment} />
        ))}
      </ul>
      {(pages.page > 0 || page.nextCursor !== null) && (
        <Pager
          page={pages.page}
          hasNext={page.nextCursor !== null}
          count={null}
          busy={isPlaceholderData}
          onPrevious={pages.previous}
          onNext={() => pages.next(page.nextCursor === null ? null : String(page.nextCursor))}
        />
      )}
    </>
  )
}

function One({ payment }: { payment: RiderPayment }) {
  const { purpose, became, subjectId } = payment
  const isLate = became === 'recharge' && purpose !== 'recharge'
  const left = payment.cents - payment.refundedCents
  return (
    <li className="money-item">
      <div className="money-line">
        <b>{t('{{yuan}} 元', { yuan: money(payment.cents) })}</b>
        {purpose === 'ride' && subjectId !== null ? (
          <Link to={`/user-order-detail?order=${subjectId}`}>{t('骑行订单')}</Link>
        ) : (
          <span>{t(purposeLabels[purpose])}</span>
        )}
        <Mark tone={payment.paidAt === null ? 'warn' : 'good'}>
          {payment.paidAt === null ? t('未支付') : t('已支付')}
        </Mark>
        {isLate && <Mark tone="info">{t('到账时已结清，转为余额')}</Mark>}
      </div>
      <p className="money-soft">
        {t(paymentChannelLabels[payment.channel])} · {dateTime(payment.paidAt ?? payment.createdAt)}
        {payment.giftCents > 0 && ` · ${t('赠送 {{yuan}} 元', { yuan: money(payment.giftCents) })}`}
        {payment.refundedCents > 0 && ` · ${t('已退 {{yuan}} 元', { yuan: money(payment.refundedCents) })}`}
      </p>
      {became === 'recharge' && left > 0 && (
        <Permit action="07010113">
          <Refund paymentId={payment.id} left={left} />
        </Permit>
      )}
      {payment.refunds.map((refund) => (
        <RefundLine key={refund.id} refund={refund} />
      ))}
    </li>
  )
}

function Refund({ paymentId, left }: { paymentId: number; left: number }) {
  const [open, setOpen] = useState(false)
  const send = useMoneyAct(
    walletEndpoints.refundPayment,
    () => {
      notify.success({ text: t('已交支付渠道退款') })
      setOpen(false)
    },
    () => setOpen(false),
  )
  const act: AmountAct = {
    title: t('退余额'),
    effect: t('从余额退回原支付渠道，不超过现有余额。退后不能收回。'),
    maxCents: left,
    button: (yuan) => t('退 {{yuan}} 元', { yuan }),
    busy: send.isPending,
    run: ({ cents, reason, idempotencyKey, settle }) =>
      send.mutate({ input: { paymentId, cents, reason }, idempotencyKey }, { onSettled: settle }),
  }
  return (
    <div className="money-acts">
      <Button onClick={() => setOpen(true)}>{t('退余额')}</Button>
      {open && (
        <Suspense fallback={null}>
          <AmountDialog act={act} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  )
}

function RefundLine({ refund }: { refund: ChannelRefund }) {
  const { retry, busy } = useRetry()
  return (
    <div className="money-case">
      <div className="money-line">
        <RefundMark state={refund.state} />
        <span>{t('{{yuan}} 元', { yuan: money(refund.cents) })}</span>
        <span>{refund.reason}</span>
      </div>
      <p className="money-soft">
        {dateTime(refund.doneAt ?? refund.createdAt)}
        {refund.attempts > 1 && ` · ${t('第 {{count}} 次尝试', { count: refund.attempts })}`}
        {refund.fault !== '' && ` · ${refund.fault}`}
        {refund.returnedAt !== null &&
          ` · ${t('{{time}} 由 {{name}} 转为余额', { time: dateTime(refund.returnedAt), name: refund.returnedBy ?? '' })}`}
      </p>
      {refund.state === 'failed' && (
        <Permit action="07010113">
          <div className="money-acts">
            <Button busy={busy} onClick={() => retry([refund.id])}>
              {t('重试退款 {{yuan}} 元', { yuan: money(refund.cents) })}
            </Button>
            <ReturnRefund refund={refund} />
          </div>
        </Permit>
      )}
    </div>
  )
}
