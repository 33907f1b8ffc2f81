import type { ReactNode } from 'react'
import { operatorDeviceEndpoints, type OperatorDevice } from '@saddle/contract/identity/devices.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DetailPanel } from '#kit/list/DetailPanel.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Facts } from '#kit/ui/Facts.tsx'
import { Decisions } from './Decisions.tsx'
import { DeviceMark } from './DeviceMark.tsx'

interface Props {
  readonly device: OperatorDevice
  readonly onDecided: () => void
}

/** One login device, and with what else its person logs in. */
export function DevicePanel({ device, onDecided }: Props): ReactNode {
  return (
    <DetailPanel
      label={t('登录设备')}
      title={
        <span className="devices-title">
          <strong>{device.operatorName}</strong>
          <DeviceMark state={device.state} />
        </span>
      }
      {...((!device.isThis || device.state !== 'approved') && {
        foot: <Decisions rows={[device]} onDone={onDecided} hasKeys />,
      })}
    >
      <Facts
        facts={[
          [t('设备'), device.isThis ? `${device.name} · ${t('当前设备')}` : device.name],
          [t('手机号'), device.phone],
          [t('公司'), device.company],
          [t('首次使用'), dateTime(device.firstSeenAt)],
          [t('最近使用'), dateTime(device.lastSeenAt)],
          [t('申请时间'), dateTime(device.requestedAt)],
          [t('处理'), device.decidedBy === null ? '--' : `${device.decidedBy} · ${dateTime(device.decidedAt)}`],
          [t('浏览器标识'), device.userAgent],
        ]}
      />
      <Others device={device} />
    </DetailPanel>
  )
}

/** Shows the person's other devices: similar ones make the approval easier to decide. */
function Others({ device }: { readonly device: OperatorDevice }) {
  const { operatorId, id } = device
  const { data } = useEndpoint(operatorDeviceEndpoints.deviceLoginInfo, { operatorId }, { quiet: true })
  const others = data?.data.list.filter((other) => other.id !== id) ?? []
  if (others.length === 0) return null
  return (
    <section className="devices-others">
      <h3>{t('此人的其他设备')}</h3>
      <ul>
        {others.map((other) => (
          <li key={other.id}>
            <span>{other.name}</span>
            <DeviceMark state={other.state} />
            <time>{dateTime(other.lastSeenAt)}</time>
          </li>
        ))}
      </ul>
    </section>
  )
}
