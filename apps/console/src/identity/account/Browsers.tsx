import { useState, type ReactNode } from 'react'
import { operatorDeviceStateLabels } from '@saddle/contract/identity/devices.ts'
import { selfEndpoints } from '@saddle/contract/identity/self.ts'
import { serverNow } from '#kit/clock.ts'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { dateTime, relativeTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import type { Own } from './own.ts'

type Device = Own['devices'][number]

/** The user's login devices; removing one ends its sessions. */
export function Browsers({ devices }: { readonly devices: readonly Device[] }): ReactNode {
  const [removing, setRemoving] = useState<Device | null>(null)
  return (
    <section className="page-card account-card" aria-labelledby="account-devices">
      <header>
        <h2 id="account-devices">{t('登录设备')}</h2>
      </header>
      {devices.length === 0 && <p className="account-quiet">{t('还没有登记过设备。')}</p>}
      <ul className="account-lines">
        {devices.map((device) => (
          <li key={device.id}>
            <div>
              <b>
                {device.name}
                {device.isThis && <em>{t('当前设备')}</em>}
              </b>
              {/* Where nobody asks for approval, its being missing says nothing. */}
              {device.state !== 'unknown' && (
                <small data-state={device.state}>{t(operatorDeviceStateLabels[device.state])}</small>
              )}
            </div>
            <time title={dateTime(device.lastSeenAt)}>{relativeTime(device.lastSeenAt, serverNow())}</time>
            {!device.isThis && (
              <Button
                look="quiet"
                aria-label={t('移除设备“{{name}}”', { name: device.name })}
                onClick={() => setRemoving(device)}
              >
                {t('移除')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {removing !== null && <Removal device={removing} onClose={() => setRemoving(null)} />}
    </section>
  )
}

function Removal({ device, onClose }: { readonly device: Device; readonly onClose: () => void }) {
  return (
    <FormDialog
      title={t('移除设备“{{name}}”', { name: device.name })}
      call={selfEndpoints.forgetOwnDevice}
      about={device.id}
      fields={{}}
      input={() => ({ id: device.id })}
      submit={t('移除设备')}
      stale={[selfEndpoints.selfSettings]}
      done={() => t('设备已移除')}
      onClose={onClose}
    >
      <p>{t('该设备上的会话会立即结束；公司要求设备授权时，再次使用须重新申请。')}</p>
    </FormDialog>
  )
}
