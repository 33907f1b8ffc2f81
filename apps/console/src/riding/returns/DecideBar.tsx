import { lazy, Suspense, useRef, useState, type ReactNode } from 'react'
import { orderEndpoints } from '@saddle/contract/riding/orders.ts'
import {
  decisionBatchMax,
  decisionNoteMax,
  returnEndpoints,
  type ReviewDecision,
} from '@saddle/contract/riding/returns.ts'
import { loadChunk } from '#kit/chunk.tsx'
import { t } from '#kit/i18n/index.ts'
import { isTryOver, newIdempotencyKey } from '#kit/idempotency.ts'
import { notify } from '#kit/notify.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpointMutation } from '#kit/query.ts'
import type { Chosen } from './question.ts'

const WaiveDialog = lazy(() => loadChunk(() => import('./WaiveDialog.tsx')))

interface Props {
  readonly chosen: readonly Chosen[]
  /** The fee was kept before: it can still be waived. */
  readonly isKept?: boolean
  readonly onDone: () => void
}

const refusalsShown = 3

/** Decides the chosen returns: the buttons say what will happen to how many. */
export function DecideBar({ chosen: all, isKept = false, onDone }: Props): ReactNode {
  const [note, setNote] = useState('')
  const [waiving, setWaiving] = useState(false)
  const chosen = all.slice(0, decisionBatchMax)
  const { isPending, decide } = useDecision(chosen, () => {
    setNote('')
    setWaiving(false)
    onDone()
  })
  const count = chosen.length
  if (count === 0) return null
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
      {!isKept && (
        <Button busy={isPending} onClick={() => decide('kept', note)}>
          {t('{{count}} 单维持收费', { count })}
        </Button>
      )}
      <Button look="primary" busy={isPending} onClick={() => setWaiving(true)}>
        {t('{{count}} 单免除并退费', { count })}
      </Button>
      {all.length > count && <small>{t('一次最多审批 {{count}} 单，其余请再选', { count: decisionBatchMax })}</small>}
      {waiving && (
        <Suspense fallback={null}>
          <WaiveDialog
            chosen={chosen}
            busy={isPending}
            onWaive={() => decide('waived', note)}
            onClose={() => setWaiving(false)}
          />
        </Suspense>
      )}
    </div>
  )
}

function useDecision(chosen: readonly Chosen[], onDone: () => void) {
  const key = useRef(newIdempotencyKey())
  const invalidates = [returnEndpoints.listReturnReviews, orderEndpoints.orderDetail, orderEndpoints.searchOrders]
  const reopen = useEndpointMutation(returnEndpoints.decideReturns, {
    invalidates,
    onSuccess: ({ data }) => notify.success({ text: t('{{count}} 单重新待审批', { count: data.decided.length }) }),
  })
  const send = useEndpointMutation(returnEndpoints.decideReturns, {
    invalidates,
    onSuccess: ({ data: { decided, refused } }, { input }) => {
      key.current = newIdempotencyKey()
      const undo = () =>
        reopen.mutate({ input: { orderIds: decided, decision: 'open' }, idempotencyKey: newIdempotencyKey() })
      const text = t('已审批 {{count}} 单', { count: decided.length })
      // What was given back stays given: only a fee that was kept can be thought over again.
      const action = input.decision === 'kept' ? { action: { label: t('撤销'), run: undo } } : {}
      if (decided.length > 0) notify.success({ text, ...action })
      if (refused.length > 0) {
        const numbers = new Map(chosen.map(({ orderId, number }) => [orderId, number]))
        const reasons = refused.slice(0, refusalsShown).map(({ orderId, promot }) => {
          return `${numbers.get(orderId) ?? orderId} ${promot}`
        })
        notify.error({ title: t('{{count}} 单没有审批', { count: refused.length }), text: reasons.join(t('；')) })
      }
      onDone()
    },
  })
  const decide = (decision: Exclude<ReviewDecision, 'open'>, note: string) => {
    if (send.isPending) return
    const input = { orderIds: chosen.map(({ orderId }) => orderId), decision, note: note.trim() }
    send.mutate(
      { input, idempotencyKey: key.current },
      {
        onError: (failure) => {
          if (isTryOver(failure)) key.current = newIdempotencyKey()
        },
      },
    )
  }
  return { isPending: send.isPending, decide }
}
