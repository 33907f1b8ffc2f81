import { useState, type ReactNode } from 'react'
import { certificateBatchMax, certificateEndpoints, certificateReasonMax } from '@saddle/contract/rider/certificates.ts'
import { tellRefused } from '#kit/action/refused.ts'
import { useAction } from '#kit/action/useAction.ts'
import { serverNow } from '#kit/clock.ts'
import { dayOf, endOfDay } from '#kit/day.ts'
import { DecisionBar, ReasonInput, useReason } from '#kit/form/ReasonInput.tsx'
import { t } from '#kit/i18n/index.ts'
import { usePanelKeys } from '#kit/list/pageKeys.ts'
import { Button } from '#kit/plain/Button.tsx'
import { DayInput } from '#kit/ui/DayInput.tsx'
import { staleRiderLists } from '../parts/stale.ts'
import { schoolYearEnd } from './term.ts'
import './certificates.css'

interface Props {
  readonly ids: readonly number[]
  readonly onDone: () => void
  /** `1` approves, `2` goes to the reason of a refusal. */
  readonly hasKeys?: boolean
}

/** Until when a certificate holds, or why it does not; the buttons say what will happen to how many. */
export function DecideForm({ ids, onDone, hasKeys = false }: Props): ReactNode {
  const [day, setDay] = useState(() => schoolYearEnd(dayOf(serverNow())))
  const reason = useReason()
  const { send, isBusy: busy } = useAction(certificateEndpoints.decideCertificates, {
    stale: [certificateEndpoints.listCertificates, ...staleRiderLists],
    done: ({ data: { decided } }, { decision }) => {
      const count = decided.length
      if (count === 0) return null
      return decision === 'approved' ? t('已通过 {{count}} 份', { count }) : t('已拒绝 {{count}} 份', { count })
    },
    undo: ({ data: { decided } }) => ({ ids: decided }),
    undone: ({ data: { decided } }) => t('{{count}} 份重新待审核', { count: decided.length }),
    onDone: ({ data: { refused } }) => {
      tellRefused(refused)
      reason.clear()
      onDone()
    },
  })
  const chosen = ids.slice(0, certificateBatchMax)
  const count = chosen.length
  const expiresAt = endOfDay(day)
  const isDayGood = expiresAt !== undefined && expiresAt > serverNow()
  const approve = () => {
    if (isDayGood) send({ ids: chosen, decision: 'approved', expiresAt })
  }
  const refuse = () => {
    if (reason.text !== '') send({ ids: chosen, decision: 'refused', reason: reason.text })
  }
  usePanelKeys(
    hasKeys
      ? [
          { key: '1', label: t('通过'), run: approve },
          { key: '2', label: t('填写拒绝的原因'), run: reason.focus },
        ]
      : [],
  )
  return (
    <DecisionBar>
      <span className="certificate-until">
        {t('有效期至')}
        <DayInput label={t('有效期至')} min={dayOf(serverNow())} value={day} onChange={setDay} />
      </span>
      <Button look="primary" busy={busy} disabled={!isDayGood} onClick={approve}>
        {t('通过 {{count}} 份', { count })}
      </Button>
      <ReasonInput
        reason={reason}
        label={t('拒绝的原因（骑行者可见）')}
        maxLength={certificateReasonMax}
        usual={[t('照片不清晰'), t('证件已过期'), t('姓名与实名不符')]}
        onEnter={refuse}
      />
      <Button busy={busy} disabled={reason.text === ''} onClick={refuse}>
        {t('拒绝 {{count}} 份', { count })}
      </Button>
    </DecisionBar>
  )
}
