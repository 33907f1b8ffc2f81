import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { heldReasonLabels, unknownDeviceEndpoints, type UnknownDevice } from '@saddle/contract/fleet/unknownDevices.ts'
import { deviceProtocolLabels } from '@saddle/contract/fleet/protocols.ts'
import { holdsPermission } from '@saddle/contract/permissions.ts'
import { useAction } from '#kit/action/useAction.ts'
import { Form } from '#kit/form/Form.tsx'
import { text } from '#kit/form/textFields.tsx'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DetailPanel } from '#kit/list/DetailPanel.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { usePermissions } from '#kit/session/permissions.ts'
import { Facts } from '#kit/ui/Facts.tsx'
import { filled } from './filled.ts'
import { UnknownMark } from './UnknownMark.tsx'

interface Props {
  readonly device: UnknownDevice
  readonly onRegister: () => void
  readonly onDecided: () => void
}

/** One device that was not let in: what it did, and what is to become of it. */
export function UnknownPanel(props: Props): ReactNode {
  const { device } = props
  const { name, vehicle, state } = device
  const { held } = usePermissions()
  return (
    <DetailPanel
      label={t('未知设备')}
      title={
        <span className="da-title">
          <strong>{name}</strong>
          <UnknownMark state={state} />
        </span>
      }
      {...(holdsPermission(held, '030801') && { foot: <Decide {...props} /> })}
    >
      <p className="da-note">{adviceOf(device)}</p>
      <Facts
        facts={filled([
          [t('协议'), deviceProtocolLabels[device.protocol]],
          [t('被拒原因'), t(heldReasonLabels[device.reason])],
          [t('登记在'), <VehicleOf key="vehicle" vehicle={vehicle} />],
          [t('首次来访'), dateTime(device.firstSeenAt)],
          [t('最近来访'), dateTime(device.lastSeenAt)],
          [t('来访'), t('{{count}} 次', { count: device.tries })],
          [t('来源地址'), device.address],
          [t('处理人'), device.decidedBy === null ? '' : `${device.decidedBy} · ${dateTime(device.decidedAt)}`],
          [t('原因'), device.note ?? ''],
        ])}
      />
    </DetailPanel>
  )
}

function VehicleOf({ vehicle }: Pick<UnknownDevice, 'vehicle'>) {
  if (vehicle === null) return '--'
  return (
    <Link to={`/vehicle-info?vehicle=${vehicle.number}`}>
      {vehicle.number}（{deviceProtocolLabels[vehicle.protocol]}）
    </Link>
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

const { listUnknownDevices, refuseUnknownDevice, reopenUnknownDevice } = unknownDeviceEndpoints
const stale = [listUnknownDevices]

function Decide({ device, onRegister, onDecided }: Props) {
  const { name, state, reason: heldFor } = device
  const undone = () => t('已撤销对 {{name}} 的决定', { name })
  const reopen = useAction(reopenUnknownDevice, { stale, done: undone })
  if (state !== 'open') {
    return (
      <Button busy={reopen.isBusy} onClick={() => reopen.send({ name })}>
        {state === 'refused' ? t('撤销拒绝') : t('撤销登记')}
      </Button>
    )
  }
  const isUnknown = heldFor === 'unknown'
  return (
    <div className="da-decide">
      {isUnknown && (
        <Button look="primary" onClick={onRegister}>
          {t('登记这台设备')}
        </Button>
      )}
      <Form
        call={refuseUnknownDevice}
        about={name}
        fields={{ reason: text({ label: t('原因（写入设备日志）') }) }}
        input={({ reason }) => ({ name, reason })}
        submit={isUnknown ? t('拒绝这台设备') : t('标记为已处理')}
        stale={stale}
        done={() => (isUnknown ? t('已拒绝 {{name}}', { name }) : t('已将 {{name}} 标记为已处理', { name }))}
        undo={() => ({ name })}
        undone={undone}
        onDone={onDecided}
      />
    </div>
  )
}
