import type { ReactNode } from 'react'
import { selfEndpoints } from '@saddle/contract/identity/self.ts'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'
import { useSession } from '#kit/session/store.ts'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { Browsers } from './Browsers.tsx'
import { LayoutSettings } from './LayoutSettings.tsx'
import { Passkeys } from './Passkeys.tsx'
import { SecondFactor } from './SecondFactor.tsx'
import { Sessions } from './Sessions.tsx'
import { Settings } from './Settings.tsx'
import '#kit/list/list.css'
import './account.css'

/** The account page: profile, security, sessions and settings. */
export default function AccountPage(): ReactNode {
  const { data, error, refetch } = useEndpoint(selfEndpoints.selfSettings, {})
  const own = data?.data
  const again = (): void => void refetch()
  return (
    <div className="page">
      <header className="page-head">
        <h1>{t('个人中心')}</h1>
        <Who />
      </header>
      {own === undefined ? (
        error === null ? (
          <Loading size="page" />
        ) : (
          <ErrorState error={error} size="page" onRetry={again} />
        )
      ) : (
        <div className="account">
          <div>
            <Sessions sessions={own.sessions} />
            <Browsers devices={own.devices} />
            <LayoutSettings />
          </div>
          <div>
            <SecondFactor totp={own.totp} onChanged={again} />
            <Passkeys />
            <Settings settings={own.settings} />
          </div>
        </div>
      )}
    </div>
  )
}

function Who(): ReactNode {
  const me = useSession()?.me
  if (me === undefined) return null
  return <span className="account-who">{[me.name, me.phone, me.roleName, me.company].filter(Boolean).join(' · ')}</span>
}
