import type { ReactNode } from 'react'
import { fenceEndpoints } from '@saddle/contract/geography/fences.ts'
import {
  parkApplicationEndpoints,
  parkApplicationNoteMax,
  type ParkApplication,
} from '@saddle/contract/operations/parkApplications.ts'
import { tellRefused } from '#kit/action/refused.ts'
import { useAction } from '#kit/action/useAction.ts'
import { DecisionBar, ReasonInput, useReason } from '#kit/form/ReasonInput.tsx'
import { t } from '#kit/i18n/index.ts'
import { usePanelKeys } from '#kit/list/pageKeys.ts'
import { Button } from '#kit/plain/Button.tsx'
import { Permit } from '#kit/ui/Permit.tsx'
import './parkApplications.css'

interface Props {
  readonly chosen: readonly ParkApplication[]
  readonly onDone: () => void
  /** `1` approves, `2` goes to the reason of a refusal. */
  readonly hasKeys?: boolean
}

const { listParkApplications, parkApplicationCounts } = parkApplicationEndpoints
export const staleApplications = [listParkApplications, parkApplicationCounts]

/** Decides requests: the buttons say what will happen to how many. */
export function DecideForm({ chosen, onDone, hasKeys = false }: Props): ReactNode {
  const note = useReason()
  const { send, isBusy } = useAction(parkApplicationEndpoints.decideParkApplications, {
    stale: [...staleApplications, fenceEndpoints.listFences],
    done: ({ data: { decided } }) =>
      decided.length === 0 ? null : t('已审批 {{count}} 份申请', { count: decided.length }),
    onDone: ({ data: { refused } }) => {
      tellRefused(refused)
      note.clear()
      onDone()
    },
  })
  const count = chosen.length
  const decide = (decision: 'approved' | 'rejected') =>
    send({ ids: chosen.map(({ id }) => id), decision, note: note.text })
  const reject = () => {
    if (note.text === '') note.focus()
    else decide('rejected')
  }
  usePanelKeys(
    hasKeys
      ? [
          { key: '1', label: t('通过并启用停车点'), run: () => decide('approved') },
          { key: '2', label: t('填写拒绝的原因'), run: reject },
        ]
      : [],
  )
  return (
    <Permit action="091001">
      <DecisionBar>
        <Button look="primary" busy={isBusy} onClick={() => decide('approved')}>
          {t('通过并启用 {{count}} 个停车点', { count })}
        </Button>
        <ReasonInput
          reason={note}
          usual={[t('附近已有停车点'), t('占用人行道'), t('物业不同意')]}
          label={t('审批意见（拒绝时必填）')}
          maxLength={parkApplicationNoteMax}
          onEnter={reject}
        />
        <Button busy={isBusy} disabled={note.text === ''} onClick={reject}>
          {t('拒绝 {{count}} 份申请', { count })}
        </Button>
      </DecisionBar>
    </Permit>
  )
}
