import Modal from 'antd/es/modal'
import { useState, type ReactNode } from 'react'
import { moneyReasonMax } from '@saddle/contract/finance/wallet.ts'
import { yuanText } from '@saddle/contract/money.ts'
import type { ApiError } from '#kit/api/client.ts'
import { money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { isTryOver } from '#kit/idempotency.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useOnceKey } from '../parts/useOnceKey.ts'
import { amountOf } from './useMoney.ts'
import '#kit/list/filter.css'
import '../parts/rider.css'

type Settle = (answer: unknown, failure: ApiError | null) => void

export interface AmountAct {
  readonly title: string
  /** What follows from it, in a sentence. */
  readonly effect: string
  readonly maxCents: number
  /** The whole amount and nothing less. */
  readonly isWhole?: boolean
  /** What the button says of so many yuan. */
  readonly button: (yuan: string) => string
  readonly busy: boolean
  /** `settle` tells whether the try is over; then the next one is another. */
  readonly run: (input: { cents: number; reason: string; idempotencyKey: string; settle: Settle }) => void
}

/** Asks for an amount and a reason; the button says what will happen to how much. */
export default function AmountDialog({ act, onClose }: { act: AmountAct; onClose: () => void }): ReactNode {
  const [yuan, setYuan] = useState(act.isWhole === true ? '' : yuanText(act.maxCents))
  const [reason, setReason] = useState('')
  const key = useOnceKey()
  const settle: Settle = (_, failure) => {
    if (isTryOver(failure)) key.renew()
  }
  const cents = act.isWhole === true ? act.maxCents : amountOf(yuan)
  const isTooMuch = cents !== null && cents > act.maxCents
  const isReady = cents !== null && cents > 0 && !isTooMuch && reason.trim() !== ''
  return (
    <Modal open width={480} title={act.title} footer={null} onCancel={onClose}>
      <form
        className="rider-form"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isReady || act.busy) return
          act.run({ cents, reason: reason.trim(), idempotencyKey: key.get(), settle })
        }}
      >
        <p>{act.effect}</p>
        {act.isWhole !== true && (
          <label>
            {t('金额（元），最多 {{yuan}} 元', { yuan: money(act.maxCents) })}
            <input
              className="filter-keyword"
              inputMode="decimal"
              value={yuan}
              aria-invalid={isTooMuch}
              onChange={(event) => setYuan(event.target.value)}
            />
          </label>
        )}
        <label>
          {t('原因（留档备查）')}
          <input
            className="filter-keyword"
            value={reason}
            maxLength={moneyReasonMax}
            onChange={(event) => setReason(event.target.value)}
          />
        </label>
        <div className="rider-foot">
          <Button onClick={onClose}>{t('取消')}</Button>
          <Button type="submit" look="primary" busy={act.busy} disabled={!isReady}>
            {act.button(money(cents))}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
