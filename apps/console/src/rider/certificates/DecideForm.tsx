import { useState, type ReactNode } from 'react'
import { certificateBatchMax, certificateReasonMax } from '@saddle/contract/rider/certificates.ts'
import { serverNow } from '#kit/clock.ts'
import { dayOf, endOfDay } from '#kit/day.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useDecide } from './useDecide.ts'
import { schoolYearEnd } from './term.ts'

interface Props {
  readonly ids: readonly number[]
  readonly onDone: () => void
}

/** Until when a certificate holds, or why it does not; the buttons say what will happen to how many. */
export function DecideForm({ ids, onDone }: Props): ReactNode {
  const [day, setDay] = useState(() => schoolYearEnd(dayOf(serverNow())))
  const [reason, setReason] = useState('')
  const { decide, busy } = useDecide(() => {
    setReason('')
    onDone()
  })
  const chosen = ids.slice(0, certificateBatchMax)
  const count = chosen.length
  const expiresAt = endOfDay(day)
  const isDayGood = expiresAt !== undefined && expiresAt > serverNow()
  return (
    <div className="certificate-decide">
      <label>
        {t('有效期至')}
        <input
          type="date"
          className="filter-keyword"
          min={dayOf(serverNow())}
          value={day}
          onChange={(event) => setDay(event.target.value)}
        />
      </label>
      <Button
        look="primary"
        busy={busy}
        disabled={!isDayGood}
        onClick={() => expiresAt !== undefined && decide(chosen, { decision: 'approved', expiresAt })}
      >
        {t('通过 {{count}} 份', { count })}
      </Button>
      <input
        className="filter-keyword"
        value={reason}
        maxLength={certificateReasonMax}
        aria-label={t('拒绝的原因（骑行者可见）')}
        placeholder={t('拒绝的原因（骑行者可见）')}
        onChange={(event) => setReason(event.target.value)}
      />
      <Button
        busy={busy}
        disabled={reason.trim() === ''}
        onClick={() => decide(chosen, { decision: 'refused', reason: reason.trim() })}
      >
        {t('拒绝 {{count}} 份', { count })}
      </Button>
    </div>
  )
}
