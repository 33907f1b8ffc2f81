import { useState, type ReactNode } from 'react'
import { parkEndpoints, type ParkApplication } from '@saddle/contract/operations/parkApplications.ts'
import { fenceEndpoints } from '@saddle/contract/geography/fences.ts'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { Button } from '#kit/plain/Button.tsx'
import { Permit } from '#kit/ui/Permit.tsx'
import { useSend } from '../parts/useSend.ts'

interface Props {
  readonly parks: readonly ParkApplication[]
  readonly onDone: () => void
}

/** Decides applications: the buttons say what will happen to how many. */
export function ParkDecide({ parks, onDone }: Props): ReactNode {
  const [note, setNote] = useState('')
  const { send, isPending } = useSend(parkEndpoints.decideParkApplications, {
    invalidates: [parkEndpoints.listParkApplications, fenceEndpoints.listFences],
    onSuccess: ({ data: { decided, refused } }) => {
      if (decided.length > 0) notify.success({ text: t('已审批 {{count}} 份申请', { count: decided.length }) })
      for (const { id, promot } of refused) {
        notify.error({ title: parks.find((park) => park.id === id)?.name ?? String(id), text: promot })
      }
      setNote('')
      onDone()
    },
  })
  const count = parks.length
  if (count === 0) return null
  const ids = parks.map(({ id }) => id)
  const said = note.trim()
  return (
    <Permit action="091001">
      <div className="work-bar">
        <input
          className="filter-keyword"
          value={note}
          maxLength={200}
          aria-label={t('审批意见（拒绝时必填）')}
          placeholder={t('审批意见（拒绝时必填）')}
          onChange={(event) => setNote(event.target.value)}
        />
        <Button look="primary" busy={isPending} onClick={() => send({ ids, decision: 'approved', note: said })}>
          {t('通过并启用 {{count}} 个停车点', { count })}
        </Button>
        <Button busy={isPending} disabled={said === ''} onClick={() => send({ ids, decision: 'rejected', note: said })}>
          {t('拒绝 {{count}} 份申请', { count })}
        </Button>
      </div>
    </Permit>
  )
}
