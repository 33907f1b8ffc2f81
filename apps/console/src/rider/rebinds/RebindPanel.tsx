import { useState, type ReactNode } from 'react'
import {
  rebindEndpoints,
  rebindKindLabels,
  rebindReasonMax,
  type ListedRebind,
} from '@saddle/contract/rider/rebinds.ts'
import { riderPeopleEndpoints } from '@saddle/contract/rider/riders.ts'
import { timelineEndpoints } from '@saddle/contract/rider/timeline.ts'
import { call } from '#kit/api/client.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { isTryOver } from '#kit/idempotency.ts'
import { notify } from '#kit/notify.ts'
import { PhotoStrip } from '#kit/photos/PhotoStrip.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpointMutation } from '#kit/query.ts'
import { Facts } from '#kit/ui/Facts.tsx'
import { Person } from '../parts/Person.tsx'
import { useOnceKey } from '../parts/useOnceKey.ts'
import { RebindMark } from './RebindMark.tsx'

interface Props {
  readonly rebind: ListedRebind
  readonly onClose: () => void
  readonly onDecided: () => void
}

const stale = [
  rebindEndpoints.listRebinds,
  riderPeopleEndpoints.searchRiders,
  riderPeopleEndpoints.riderDetail,
  timelineEndpoints.riderTimeline,
]

/** What a decision needs: who asks for what, whose it is now, and the photos. */
export function RebindPanel({ rebind, onClose, onDecided }: Props): ReactNode {
  const { holderId, holderPhone, holderName } = rebind
  const holder =
    holderId === null || holderPhone === null
      ? []
      : [[t('原持有人'), <Person key="holder" riderId={holderId} phone={holderPhone} name={holderName} />] as const]
  const decided =
    rebind.decidedBy === null
      ? []
      : [
          [t('审核'), `${rebind.decidedBy} · ${dateTime(rebind.decidedAt)}`] as const,
          ...(rebind.reason === '' ? [] : [[t('原因'), rebind.reason] as const]),
        ]
  return (
    <aside className="page-card rider-panel" aria-label={t('换绑材料')}>
      <header>
        <span className="rider-head">
          <Person riderId={rebind.riderId} phone={rebind.phone} name={rebind.name} />
          <RebindMark state={rebind.state} />
        </span>
        <Button look="quiet" onClick={onClose}>
          {t('收起')}
        </Button>
      </header>
      <Facts
        facts={[
          [t('换绑类型'), t(rebindKindLabels[rebind.kind])],
          [t('申请换绑'), `${rebind.wantedName ?? ''} ${rebind.wanted}`.trim()],
          ...holder,
          [t('说明'), rebind.claim || '--'],
          [t('申请时间'), dateTime(rebind.askedAt)],
          ...decided,
        ]}
      />
      {rebind.photos === 0 ? (
        <p className="rider-none">{t('没有附照片')}</p>
      ) : (
        <PhotoStrip
          of={['rebind', rebind.id]}
          count={rebind.photos}
          load={async (signal) => (await call(rebindEndpoints.rebindPhotos, { id: rebind.id }, { signal })).data.list}
        />
      )}
      {rebind.state === 'waiting' && <Decide rebind={rebind} onDone={onDecided} />}
    </aside>
  )
}

/** The button says what it does: a binding that was changed is changed back by another one only. */
function Decide({ rebind, onDone }: { rebind: ListedRebind; onDone: () => void }) {
  const [reason, setReason] = useState('')
  const key = useOnceKey()
  const send = useEndpointMutation(rebindEndpoints.decideRebind, {
    invalidates: stale,
    onSuccess: ({ data }) => {
      notify.success({
        text: data.state === 'approved' ? t('已换绑到 {{number}}', { number: data.wanted }) : t('已拒绝换绑申请'),
      })
      onDone()
    },
  })
  const decide = (decision: 'approved' | 'refused') => {
    if (send.isPending) return
    const input = { id: rebind.id, decision, reason: reason.trim() }
    send.mutate({ input, idempotencyKey: key.get() }, { onSettled: (_, failure) => isTryOver(failure) && key.renew() })
  }
  return (
    <>
      <p className="rider-note">
        {rebind.kind === 'phone' ? t('通过后，原手机号不能再登录此账号。') : t('通过后，原持有人的账号变为未实名。')}
      </p>
      <Button look="primary" busy={send.isPending} onClick={() => decide('approved')}>
        {rebind.kind === 'phone'
          ? t('通过，手机号换为 {{number}}', { number: rebind.wanted })
          : t('通过，证件换绑到 {{phone}}', { phone: rebind.phone })}
      </Button>
      <input
        className="filter-keyword"
        value={reason}
        maxLength={rebindReasonMax}
        aria-label={t('拒绝的原因（骑行者可见）')}
        placeholder={t('拒绝的原因（骑行者可见）')}
        onChange={(event) => setReason(event.target.value)}
      />
      <Button busy={send.isPending} disabled={reason.trim() === ''} onClick={() => decide('refused')}>
        {t('拒绝换绑')}
      </Button>
    </>
  )
}
