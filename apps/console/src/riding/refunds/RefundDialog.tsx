import type { ReactNode } from 'react'
import { orderEndpoints } from '@saddle/contract/riding/orders.ts'
import { chargeCodeLabels } from '@saddle/contract/riding/price.ts'
import { refundEndpoints } from '@saddle/contract/riding/refunds.ts'
import type { AnswerOf } from '#kit/api/client.ts'
import { checks, choice } from '#kit/form/choiceFields.tsx'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { reason, yuan } from '#kit/form/textFields.tsx'
import { money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { wordsOfReason } from '#kit/i18n/reason.ts'

interface Props {
  readonly orderId: number
  readonly number: string
  readonly onClose: () => void
}

type Left = Pick<AnswerOf<typeof refundEndpoints.refundOutlook>['data'], 'refundableCents' | 'giftCents' | 'lines'>
type Way = 'all' | 'part' | 'lines'

const unknown: Left = { refundableCents: 0, giftCents: 0, lines: [] }

/** What is given back, and why: everything that is left, an amount, or single lines. */
export default function RefundDialog({ orderId, number, onClose }: Props): ReactNode {
  const { data, error, refetch } = useEndpoint(refundEndpoints.refundOutlook, { orderId }, { staleMs: 0 })
  const { refundableCents: most, giftCents, lines } = data?.data ?? unknown
  const open = lines.filter((line) => line.refundableCents > 0)
  const centsOf = ({ way, cents, chosen }: { way?: Way; cents?: number; chosen?: readonly number[] }) =>
    way === 'part' ? cents : way === 'lines' ? sumOf(open, chosen ?? [], most) : most
  return (
    <FormDialog
      title={t('订单 {{number}} 退款', { number })}
      widthPx={560}
      call={refundEndpoints.refundOrder}
      about={orderId}
      fields={{
        way: choice<Way>({
          label: t('退款方式'),
          initial: 'all',
          options: [
            { value: 'all', label: t('全部退还') },
            { value: 'part', label: t('退还部分金额') },
            { value: 'lines', label: t('按明细退还'), isDisabled: open.length === 0 },
          ],
        }),
        cents: yuan({
          label: t('退款金额（元）'),
          maxCents: most,
          refusals: ['refund_too_high'],
        }),
        chosen: checks({
          label: t('费用明细'),
          at: 'lines',
          options: open.map((line) => ({
            value: line.n,
            label: `${t(chargeCodeLabels[line.code])} ${money(line.refundableCents)}`,
            text: wordsOfReason(line.reason),
          })),
        }),
        reason: reason({
          label: t('退款原因（骑行者可见）'),
          presets: [t('车辆故障'), t('停车点误判'), t('计费有误'), t('无法还车')],
        }),
      }}
      adjust={({ way, chosen }) => ({
        cents: { isHidden: way !== 'part' },
        chosen: {
          isHidden: way !== 'lines',
          fault: way === 'lines' && chosen.length === 0 ? t('请选择费用明细') : null,
        },
      })}
      input={({ way, cents, chosen, reason: why }) => ({
        orderId,
        reason: why,
        ...(way === 'part' && { cents }),
        ...(way === 'lines' && { lines: chosen }),
      })}
      blocked={data === undefined ? t('正在加载…') : most === 0 ? t('没有可以退的金额') : null}
      submit={(known) => t('退款 {{yuan}} 元', { yuan: money(centsOf(known)) })}
      stale={[orderEndpoints.orderDetail, orderEndpoints.searchOrders, refundEndpoints.refundOutlook]}
      done={({ data: { refund } }) => t('已退款 {{yuan}} 元', { yuan: money(refund.cents) })}
      onClose={onClose}
    >
      {data !== undefined ? (
        <p>
          {t('最多可退 {{yuan}} 元', { yuan: money(most) })}
          {giftCents > 0 &&
            ` · ${t('其中赠送余额支付的 {{gift}} 元最后退，退到即失效，不返还', { gift: money(Math.min(giftCents, most)) })}`}
        </p>
      ) : error === null ? (
        <Loading />
      ) : (
        <ErrorState error={error} onRetry={() => void refetch()} />
      )}
    </FormDialog>
  )
}

function sumOf(lines: Left['lines'], chosen: readonly number[], most: number): number {
  const sum = lines.reduce((cents, line) => (chosen.includes(line.n) ? cents + line.refundableCents : cents), 0)
  return Math.min(sum, most)
}
