import type { ReactNode } from 'react'
import {
  rebindEndpoints,
  rebindKindLabels,
  rebindReasonMax,
  type ListedRebind,
} from '@saddle/contract/rider/rebinds.ts'
import { useAction } from '#kit/action/useAction.ts'
import { call } from '#kit/api/client.ts'
import { dateTime } from '#kit/format.ts'
import { ReasonInput, useReason } from '#kit/form/ReasonInput.tsx'
import { t } from '#kit/i18n/index.ts'
import { DetailPanel } from '#kit/list/DetailPanel.tsx'
import { usePanelKeys } from '#kit/list/pageKeys.ts'
import { PhotoStrip } from '#kit/photos/PhotoStrip.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { Facts } from '#kit/ui/Facts.tsx'
import { Person } from '../parts/Person.tsx'
import { staleRiderLists } from '../parts/stale.ts'
import { RebindMark } from './RebindMark.tsx'

interface Props {
  readonly rebind: ListedRebind
  readonly onDecided: () => void
}

const stale = [rebindEndpoints.listRebinds, ...staleRiderLists]

/** What a decision needs: who asks for what, whose it is now, and the photos. */
export function RebindPanel({ rebind, onDecided }: Props): ReactNode {
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
    <DetailPanel
      label={t('换绑材料')}
      title={
        <span className="rider-head">
          <Person riderId={rebind.riderId} phone={rebind.phone} name={rebind.name} />
          <RebindMark state={rebind.state} />
        </span>
      }
      {...(rebind.state === 'waiting' && { foot: <Decide rebind={rebind} onDone={onDecided} /> })}
    >
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
    </DetailPanel>
  )
}

/** The button says what it does: a binding that was changed is changed back by another one only. */
function Decide({ rebind, onDone }: { rebind: ListedRebind; onDone: () => void }) {
  const reason = useReason()
  const { send, isBusy } = useAction(rebindEndpoints.decideRebind, {
    stale,
    done: ({ data }) =>
      data.state === 'approved' ? t('已换绑到 {{number}}', { number: data.wanted }) : t('已拒绝换绑申请'),
    onDone,
  })
  const approve = () => send({ id: rebind.id, decision: 'approved', reason: reason.text })
  const refuse = () => {
    if (reason.text !== '') send({ id: rebind.id, decision: 'refused', reason: reason.text })
  }
  usePanelKeys([
    { key: '1', label: t('通过'), run: approve },
    { key: '2', label: t('填写拒绝的原因'), run: reason.focus },
  ])
  return (
    <div className="rider-decide">
      <p className="rider-note">
        {rebind.kind === 'phone' ? t('通过后，原手机号不能再登录此账号。') : t('通过后，原持有人的账号变为未实名。')}
      </p>
      <Button look="primary" busy={isBusy} onClick={approve}>
        {rebind.kind === 'phone'
          ? t('通过，手机号换为 {{number}}', { number: rebind.wanted })
          : t('通过，证件换绑到 {{phone}}', { phone: rebind.phone })}
      </Button>
      <ReasonInput
        reason={reason}
        label={t('拒绝的原因（骑行者可见）')}
        maxLength={rebindReasonMax}
        usual={[t('照片不清晰'), t('材料与账号不符'), t('联系不上本人')]}
        onEnter={refuse}
      />
      <Button busy={isBusy} disabled={reason.text === ''} onClick={refuse}>
        {t('拒绝换绑')}
      </Button>
    </div>
  )
}
