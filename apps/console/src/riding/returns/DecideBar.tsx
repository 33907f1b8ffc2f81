import { useRef, useState, type ReactNode } from 'react'
import { orderEndpoints } from '@saddle/contract/riding/orders.ts'
import { decisionBatchMax, decisionNoteMax, returnEndpoints } from '@saddle/contract/riding/returns.ts'
import { t } from '#kit/i18n/index.ts'
import { isTryOver, newIdempotencyKey } from '#kit/idempotency.ts'
import { notify } from '#kit/notify.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpointMutation } from '#kit/query.ts'

interface Props {
  readonly orderIds: readonly number[]
  readonly onDone: () => void
}

/** Decides the chosen returns: the buttons say what will happen to how many. */
export function DecideBar({ orderIds, onDone }: Props): ReactNode {
  const [note, setNote] = useState('')
  const key = useRef(newIdempotencyKey())
  const send = useEndpointMutation(returnEndpoints.decideReturns, {
    invalidates: [returnEndpoints.listReturnReviews, orderEndpoints.orderDetail, orderEndpoints.searchOrders],
    onSuccess: ({ data }) => {
      key.current = newIdempotencyKey()
      setNote('')
      if (data.decided.length > 0) notify.success({ text: t('已审批 {{count}} 单', { count: data.decided.length }) })
      for (const { orderId, promot } of data.refused) {
        notify.error({ title: t('订单 {{number}}', { number: orderId }), text: promot })
      }
      onDone()
    },
  })
  const chosen = orderIds.slice(0, decisionBatchMax)
  const count = chosen.length
  if (count === 0) return null
  const decide = (decision: 'kept' | 'waived') => {
    if (send.isPending) return
    const input = { orderIds: [...chosen], decision, note: note.trim() }
    send.mutate(
      { input, idempotencyKey: key.current },
      {
        onError: (failure) => {
          if (isTryOver(failure)) key.current = newIdempotencyKey()
        },
      },
    )
  }
  return (
    <div className="returns-decide">
      <input
        className="filter-keyword"
        value={note}
        maxLength={decisionNoteMax}
        aria-label={t('审批说明（选填，骑行者可见）')}
        placeholder={t('审批说明（选填，骑行者可见）')}
        onChange={(event) => setNote(event.target.value)}
      />
      <Button busy={send.isPending} onClick={() => decide('kept')}>
        {t('{{count}} 单维持收费', { count })}
      </Button>
      <Button look="primary" busy={send.isPending} onClick={() => decide('waived')}>
        {t('{{count}} 单免除并退费', { count })}
      </Button>
    </div>
  )
}
