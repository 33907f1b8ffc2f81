import { useState, type ReactNode } from 'react'
import { orderEndpoints } from '@saddle/contract/riding/orders.ts'
import {
  decisionBatchMax,
  decisionNoteMax,
  returnEndpoints,
  type ListedReview,
} from '@saddle/contract/riding/returns.ts'
import { useAction } from '#kit/action/useAction.ts'
import type { AnswerOf } from '#kit/api/client.ts'
import { DecisionBar, ReasonInput, useReason } from '#kit/form/ReasonInput.tsx'
import { t } from '#kit/i18n/index.ts'
import { usePanelKeys } from '#kit/list/pageKeys.ts'
import { notify } from '#kit/notify.ts'
import { onDemand } from '#kit/onDemand.tsx'
import { Button } from '#kit/plain/Button.tsx'

const WaiveDialog = onDemand(
  () => import('./WaiveDialog.tsx'),
  ({ onClose }) => onClose(),
)

interface Props {
  readonly chosen: readonly ListedReview[]
  /** The fee was kept before: it can still be waived. */
  readonly isKept?: boolean
  readonly onDone: () => void
  /** `1` keeps the fee, `2` asks to waive it, `3` goes to the note, `4` and on choose a usual one. */
  readonly hasKeys?: boolean
}

const refusalsShown = 3
const firstUsualKey = 4
/** What is said most often, in the rider's words. */
const usualNotes = (): readonly string[] => [
  t('照片显示停在停车点内'),
  t('停车点已停满'),
  t('定位有偏差'),
  t('照片显示停在停车点外'),
]
export const staleReturns = [
  returnEndpoints.listReturnReviews,
  returnEndpoints.sumReturnReviews,
  orderEndpoints.orderDetail,
  orderEndpoints.searchOrders,
]

type Decided = AnswerOf<typeof returnEndpoints.decideReturns>

/** Says which of several could not be decided; the others were. */
export function tellRefused({ data: { refused } }: Decided): void {
  if (refused.length === 0) return
  const reasons = refused.slice(0, refusalsShown).map(({ promot }) => promot)
  notify.error({
    title: t('{{count}} 单没有审批', { count: refused.length }),
    text: [...new Set(reasons)].join(t('；')),
  })
}

/** Decides the chosen returns: the buttons say what will happen to how many. */
export function DecideBar({ chosen: all, isKept = false, onDone, hasKeys = false }: Props): ReactNode {
  const note = useReason()
  const [isWaiving, setWaiving] = useState(false)
  const chosen = all.slice(0, decisionBatchMax)
  const count = chosen.length
  const action = useAction(returnEndpoints.decideReturns, {
    stale: staleReturns,
    done: ({ data: { decided } }) =>
      decided.length === 0 ? null : t('已审批 {{count}} 单', { count: decided.length }),
    // What was given back stays given: only a fee that was kept can be thought over again.
    undo: ({ data: { decided } }) => ({ orderIds: decided, decision: 'open' as const }),
    undone: ({ data: { decided } }) => t('{{count}} 单重新待审批', { count: decided.length }),
    onDone: (answer) => {
      tellRefused(answer)
      note.clear()
      onDone()
    },
  })
  const keep = () => action.send({ orderIds: chosen.map(({ orderId }) => orderId), decision: 'kept', note: note.text })
  const usual = usualNotes()
  usePanelKeys(
    hasKeys
      ? [
          ...(isKept ? [] : [{ key: '1', label: t('维持收费'), run: keep }]),
          { key: '2', label: t('免除并退费'), run: () => setWaiving(true) },
          { key: '3', label: t('填写审批说明'), run: note.focus },
          ...usual.map((text, index) => ({
            key: String(index + firstUsualKey),
            label: text,
            run: () => note.setTyped(text),
          })),
        ]
      : [],
  )
  if (count === 0) return null
  return (
    <DecisionBar>
      <ReasonInput reason={note} label={t('审批说明（选填，骑行者可见）')} maxLength={decisionNoteMax} />
      {hasKeys && (
        <span className="returns-usual">
          {usual.map((text, index) => (
            <button
              key={text}
              type="button"
              aria-pressed={note.text === text}
              onClick={() => note.setTyped(note.text === text ? '' : text)}
            >
              <kbd>{index + firstUsualKey}</kbd> {text}
            </button>
          ))}
        </span>
      )}
      {!isKept && (
        <Button busy={action.isBusy} onClick={keep}>
          {t('{{count}} 单维持收费', { count })}
        </Button>
      )}
      <Button look="primary" busy={action.isBusy} onClick={() => setWaiving(true)}>
        {t('{{count}} 单免除并退费', { count })}
      </Button>
      {all.length > count && <small>{t('一次最多审批 {{count}} 单，其余请再选', { count: decisionBatchMax })}</small>}
      {isWaiving && (
        <WaiveDialog
          chosen={chosen}
          note={note.text}
          onClose={() => setWaiving(false)}
          onWaived={() => {
            note.clear()
            onDone()
          }}
        />
      )}
    </DecisionBar>
  )
}
