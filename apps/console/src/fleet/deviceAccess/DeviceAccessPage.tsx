import { useState, type ReactNode } from 'react'
import { useSearchParams } from 'react-router'
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

const views = ['unknown', 'models'] as const
type View = (typeof views)[number]
const viewLabels: Readonly<Record<View, string>> = { unknown: '来访设备', models: '车型与锁控协议' }

/** How vehicles come into the register, which devices called in vain, and how the locks of each model are turned. */
export default function DeviceAccessPage(): ReactNode {
  const [params, setParams] = useSearchParams()
  const [registering, setRegistering] = useState<UnknownDevice | 'new' | null>(null)
  const view: View = params.get('view') === 'models' ? 'models' : 'unknown'
  return (
    <div className="page">
      <header className="page-head">
        <h1>{t('设备接入')}</h1>
        <Permit action="030801">
          <Button look="primary" onClick={() => setRegistering('new')}>
            {t('登记车辆')}
          </Button>
        </Permit>
      </header>
      <nav className="da-tabs da-views" aria-label={t('视图')}>
        {views.map((each) => (
          <button
            key={each}
            type="button"
            aria-current={each === view ? 'page' : undefined}
            // The filter of one view means nothing to the other.
            onClick={() => setParams(each === 'models' ? { view: each } : {})}
          >
            {t(viewLabels[each])}
          </button>
        ))}
      </nav>
      {view === 'models' ? <ModelList /> : <UnknownList onRegister={setRegistering} />}
      {registering !== null && (
        <RegisterForm caller={registering === 'new' ? null : registering} onClose={() => setRegistering(null)} />
      )}
    </div>
  )
}
