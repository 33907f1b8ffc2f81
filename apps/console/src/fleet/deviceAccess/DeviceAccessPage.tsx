import { useState, type ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import type { DeviceAccess } from '@saddle/contract/fleet/registration.ts'
import type { UnknownDevice } from '@saddle/contract/fleet/unknownDevices.ts'
import { t } from '#kit/i18n/index.ts'
import { onDemand } from '#kit/onDemand.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { Permit } from '#kit/ui/Permit.tsx'
import { ModelList } from './ModelList.tsx'
import { UnknownList } from './UnknownList.tsx'
import './deviceAccess.css'

const RegisterForm = onDemand(
  () => import('./RegisterForm.tsx'),
  ({ onClose }) => onClose(),
)
const Configuration = onDemand(
  () => import('./Configuration.tsx'),
  ({ onClose }) => onClose(),
)

const views = ['unknown', 'models'] as const
type View = (typeof views)[number]
const viewLabels: Readonly<Record<View, string>> = { unknown: '来访设备', models: '车型与锁控协议' }

/** How vehicles are registered, which devices were rejected, and how the locks of each model are controlled. */
export default function DeviceAccessPage(): ReactNode {
  const [params, setParams] = useSearchParams()
  const [registering, setRegistering] = useState<UnknownDevice | 'new' | null>(null)
  const [registered, setRegistered] = useState<DeviceAccess | null>(null)
  const view: View = params.get('view') === 'models' ? 'models' : 'unknown'
  const frame = {
    title: t('设备接入'),
    actions: (
      <Permit action="030801">
        <Button look="primary" onClick={() => setRegistering('new')}>
          {t('登记车辆')}
        </Button>
      </Permit>
    ),
    views: (
      <nav className="state-tabs" aria-label={t('视图')}>
        {views.map((each) => (
          <button
            key={each}
            type="button"
            aria-current={each === view ? 'page' : undefined}
            // The filter of one view does not apply to the other.
            onClick={() => setParams(each === 'models' ? { view: each } : {})}
          >
            {t(viewLabels[each])}
          </button>
        ))}
      </nav>
    ),
  }
  return (
    <>
      {view === 'models' ? <ModelList {...frame} /> : <UnknownList {...frame} onRegister={setRegistering} />}
      {registering !== null && (
        <RegisterForm
          caller={registering === 'new' ? null : registering}
          onClose={() => setRegistering(null)}
          onDone={setRegistered}
        />
      )}
      {registered !== null && <Configuration access={registered} onClose={() => setRegistered(null)} />}
    </>
  )
}
