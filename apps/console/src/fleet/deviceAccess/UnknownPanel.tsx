import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import {
  heldReasonLabels,
  unknownDeviceEndpoints,
  unknownDeviceStateLabels,
  type UnknownDevice,
} from '@saddle/contract/fleet/unknownDevices.ts'
import { deviceProtocolLabels } from '@saddle/contract/fleet/protocols.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpointMutation } from '#kit/query.ts'
import { Permit } from '#kit/ui/Permit.tsx'
import { Facts } from './Facts.tsx'

interface Props {
  readonly device: UnknownDevice
  readonly onRegister: () => void
  readonly onClose: () => void
}

/** One device that was not let in: what it did, and what is to become of it. */
export function UnknownPanel({ device, onRegister, onClose }: Props): ReactNode {
  const { name, vehicle, state } = device
  return (
    <aside className="page-card da-panel" aria-label={t('未知设备')}>
      <header>
        <strong>{name}</strong>
        <span className="da-chip" data-state={state}>
          {t(unknownDeviceStateLabels[state])}
        </span>
        <Button look="quiet" onClick={onClose}>
          {t('收起')}
        </Button>
      </header>
      <p className="da-note">{adviceOf(device)}</p>
      <Facts
        facts={[
          [t('协议'), deviceProtocolLabels[device.protocol]],
          [t('被拒原因'), t(heldReasonLabels[device.reason])],
          [
            t('登记在'),
            vehicle === null ? (
              '--'
            ) : (
              <Link key="vehicle" to={`/vehicle-info?vehicle=${vehicle.number}`}>
                {vehicle.number}（{deviceProtocolLabels[vehicle.protocol]}）
              </Link>
            ),
          ],
          [t('首次来访'), dateTime(device.firstSeenAt)],
          [t('最近来访'), dateTime(device.lastSeenAt)],
          [t('来访'), t('{{count}} 次', { count: device.tries })],
          [t('来源地址'), device.address],
          [t('处理人'), device.decidedBy === null ? '' : `${device.decidedBy} · ${dateTime(device.decidedAt)}`],
          [t('原因'), device.note ?? ''],
        ]}
      />
      <Permit action="030801">
        <Decide device={device} onRegister={onRegister} />
      </Permit>
    </aside>
  )
}

function adviceOf({ reason, vehicle, state, lastSeenAt }: UnknownDevice): string {
  if (state === 'refused') return t('这台设备已被拒绝，撤销之前不能登记。')
  if (state === 'accepted') return t('这台设备已登记，配置好密码后即可接入。')
  if (reason === 'unknown') return t('没有车辆登记了这台设备：登记到一辆车上，或拒绝它。')
  if (vehicle !== null && (vehicle.heardAt ?? 0) > lastSeenAt) return t('这台设备此后已经正常接入，不需要处理。')
  if (reason === 'secret') {
    return t('设备已登记，但出示的密码或鉴权码不对：到车辆详情查看或更换密码，JT/T 808 终端可释放后重新注册。')
  }
  return t('设备已登记，但用了另一种协议：核对设备的端口与登记的协议。')
}

function Decide({ device, onRegister }: { device: UnknownDevice; onRegister: () => void }) {
  const { name, state, reason: heldFor } = device
  const [reason, setReason] = useState('')
  const invalidates = [unknownDeviceEndpoints.listUnknownDevices]
  const reopen = useEndpointMutation(unknownDeviceEndpoints.reopenUnknownDevice, {
    invalidates,
    onSuccess: () => notify.success({ text: t('已撤销对 {{name}} 的决定', { name }) }),
  })
  const refuse = useEndpointMutation(unknownDeviceEndpoints.refuseUnknownDevice, {
    invalidates,
    onSuccess: () =>
      notify.success({
        text: heldFor === 'unknown' ? t('已拒绝 {{name}}', { name }) : t('已将 {{name}} 标记为已处理', { name }),
        action: { label: t('撤销'), run: () => reopen.mutate({ input: { name } }) },
      }),
  })
  if (state !== 'open') {
    return (
      <Button busy={reopen.isPending} onClick={() => reopen.mutate({ input: { name } })}>
        {state === 'refused' ? t('撤销拒绝') : t('撤销登记')}
      </Button>
    )
  }
  return (
    <>
      {heldFor === 'unknown' && (
        <Button look="primary" onClick={onRegister}>
          {t('登记这台设备')}
        </Button>
      )}
      <form
        className="da-refuse"
        onSubmit={(event) => {
          event.preventDefault()
          if (reason.trim() !== '') refuse.mutate({ input: { name, reason: reason.trim() } })
        }}
      >
        <input
          className="filter-keyword"
          value={reason}
          maxLength={200}
          aria-label={t('原因（写入设备日志）')}
          placeholder={t('原因（写入设备日志）')}
          onChange={(event) => setReason(event.target.value)}
        />
        <Button type="submit" busy={refuse.isPending} disabled={reason.trim() === ''}>
          {heldFor === 'unknown' ? t('拒绝这台设备') : t('标记为已处理')}
        </Button>
      </form>
    </>
  )
}
