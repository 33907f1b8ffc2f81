import Modal from 'antd/es/modal'
import { useRef, useState, type ReactNode } from 'react'
import { centsOfYuan } from '@saddle/contract/money.ts'
import { orderEndpoints } from '@saddle/contract/riding/orders.ts'
import { chargeCodeLabels } from '@saddle/contract/riding/price.ts'
import { refundEndpoints, refundReasonMax } from '@saddle/contract/riding/refunds.ts'
import { money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { isTryOver, newIdempotencyKey } from '#kit/idempotency.ts'
import { notify } from '#kit/notify.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint, useEndpointMutation } from '#kit/query.ts'
import { wordsOfReason } from '../reason.ts'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import '#kit/list/filter.css'

interface Props {
  readonly orderId: number
  readonly number: string
  readonly onClose: () => void
}

type How = 'all' | 'part' | 'lines'

/** What is given back, and why: everything that is left, an amount, or single lines. */
export default function RefundDialog({ orderId, number, onClose }: Props): ReactNode {
  const { data, error, refetch } = useEndpoint(refundEndpoints.refundOutlook, { orderId }, { staleMs: 0 })
  const [how, setHow] = useState<How>('all')
  const [yuan, setYuan] = useState('')
  const [chosen, setChosen] = useState<readonly number[]>([])
  const [reason, setReason] = useState('')
  const key = useRef(newIdempotencyKey())
  const send = useEndpointMutation(refundEndpoints.refundOrder, {
    invalidates: [orderEndpoints.orderDetail, orderEndpoints.searchOrders, refundEndpoints.refundOutlook],
    onSuccess: ({ data: { refund } }) => {
      notify.success({ text: t('已退款 {{yuan}} 元', { yuan: money(refund.cents) }) })
      onClose()
    },
  })
  const left = data?.data
  const most = left?.refundableCents ?? 0
  const cents = how === 'all' ? most : how === 'part' ? centsOfYuan(yuan) : sumOf(left?.lines ?? [], chosen, most)
  const isReady = cents !== null && cents > 0 && cents <= most && reason.trim() !== ''
  const submit = () => {
    if (!isReady || send.isPending) return
    const what = how === 'part' ? { cents } : how === 'lines' ? { lines: [...chosen] } : {}
    send.mutate(
      { input: { orderId, reason: reason.trim(), ...what }, idempotencyKey: key.current },
      {
        // The same key goes with the same input: after a refusal the next try is another.
        onError: (failure) => {
          if (isTryOver(failure)) key.current = newIdempotencyKey()
          if (failure.code === 'money_held') onClose()
        },
      },
    )
  }
  return (
    <Modal open width={560} title={t('订单 {{number}} 退款', { number })} footer={null} onCancel={onClose}>
      {left === undefined ? (
        error === null ? (
          <Loading />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <form
          className="refund"
          onSubmit={(event) => {
            event.preventDefault()
            submit()
          }}
        >
          <p>{t('最多可退 {{yuan}} 元', { yuan: money(most) })}</p>
          <fieldset className="refund-how">
            <legend className="visually-hidden">{t('退款方式')}</legend>
            <Way how="all" now={how} onChange={setHow} label={t('全部退还')} />
            <Way how="part" now={how} onChange={setHow} label={t('退还部分金额')} />
            <Way how="lines" now={how} onChange={setHow} label={t('按明细退还')} />
          </fieldset>
          {how === 'part' && (
            <label>
              {t('退款金额（元）')}
              <input
                className="filter-keyword"
                inputMode="decimal"
                value={yuan}
                onChange={(event) => setYuan(event.target.value)}
              />
            </label>
          )}
          {how === 'lines' && (
            <fieldset className="refund-lines">
              <legend className="visually-hidden">{t('费用明细')}</legend>
              {left.lines
                .filter((line) => line.refundableCents > 0)
                .map((line) => (
                  <label key={line.n}>
                    <input
                      type="checkbox"
                      checked={chosen.includes(line.n)}
                      onChange={(event) =>
                        setChosen(event.target.checked ? [...chosen, line.n] : chosen.filter((n) => n !== line.n))
                      }
                    />
                    <span>{t(chargeCodeLabels[line.code])}</span>
                    <span>{wordsOfReason(line.reason)}</span>
                    <b>{money(line.refundableCents)}</b>
                  </label>
                ))}
            </fieldset>
          )}
          <label>
            {t('退款原因（骑行者可见）')}
            <input
              className="filter-keyword"
              value={reason}
              maxLength={refundReasonMax}
              onChange={(event) => setReason(event.target.value)}
            />
          </label>
          <div className="refund-foot">
            <Button onClick={onClose}>{t('取消')}</Button>
            <Button type="submit" look="primary" busy={send.isPending} disabled={!isReady}>
              {t('退款 {{yuan}} 元', { yuan: money(cents) })}
            </Button>
          </div>
        </form>
      )}
    </Modal>
  )
}

interface WayProps {
  readonly how: How
  readonly now: How
  readonly label: string
  readonly onChange: (how: How) => void
}

function Way({ how, now, label, onChange }: WayProps) {
  return (
    <label>
      <input type="radio" name="how" checked={how === now} onChange={() => onChange(how)} />
      {label}
    </label>
  )
}

function sumOf(
  lines: readonly { readonly n: number; readonly refundableCents: number }[],
  chosen: readonly number[],
  most: number,
): number {
  const sum = lines.reduce((cents, line) => (chosen.includes(line.n) ? cents + line.refundableCents : cents), 0)
  return Math.min(sum, most)
}
