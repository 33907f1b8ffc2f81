import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paymentChannelLabels, purposeLabels } from '@saddle/contract/finance/payments.ts'
import { walletEndpoints, type RiderPayment } from '@saddle/contract/finance/wallet.ts'
import type { ChannelRefund } from '@saddle/contract/finance/refunds.ts'
import { call } from '#kit/api/client.ts'
import { dateTime, money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { ExportButton } from '#kit/list/ExportButton.tsx'
import { Pager } from '#kit/list/Pager.tsx'
import { usePages } from '#kit/list/usePages.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Permit } from '#kit/ui/Permit.tsx'
import { Empty, ErrorState, Loading } from '#kit/ui/states.tsx'
import { Mark } from '#kit/ui/Mark.tsx'
import { RefundMark } from './MoneyMark.tsx'
import { MoneyActions } from './MoneyActions.tsx'
import { useRetry } from '../refunds/useRetry.ts'
import { noteText } from '../notes.ts'

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
      <div className="money-acts">
        <ExportButton
          onExport={async ({ language }) =>
            (await call(walletEndpoints.exportRiderPayments, { riderId, language }, { quiet: true })).data
          }
        />
      </div>
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
        <div className="money-acts">
          <MoneyActions
            permission="07010113"
            actions={[
              {
                label: t('退余额'),
                action: {
                  kind: 'refundPayment',
                  about: {
                    paymentId: payment.id,
                    cents: left,
                    giftCents: payment.giftCents,
                    openGiftCents: payment.openGiftCents,
                  },
                },
              },
            ]}
          />
        </div>
      )}
      {payment.refunds.map((refund) => (
        <RefundLine key={refund.id} refund={refund} />
      ))}
    </li>
  )
}

function RefundLine({ refund }: { refund: ChannelRefund }) {
  const { retry, isBusy } = useRetry()
  return (
    <div className="money-case">
      <div className="money-line">
        <RefundMark state={refund.state} />
        <span>{t('{{yuan}} 元', { yuan: money(refund.cents) })}</span>
        <span>{noteText(refund.reason)}</span>
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
            <Button busy={isBusy} onClick={() => retry([refund.id])}>
              {t('重试退款 {{yuan}} 元', { yuan: money(refund.cents) })}
            </Button>
            <MoneyActions
              permission="07010113"
              actions={[
                {
                  label: t('转为余额'),
                  action: { kind: 'returnRefund', about: { refundId: refund.id, cents: refund.cents } },
                },
              ]}
            />
          </div>
        </Permit>
      )}
    </div>
  )
}
