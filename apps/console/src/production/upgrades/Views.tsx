import type { ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import { ButtonLink } from '#kit/plain/Button.tsx'

const path = '/production/device-upgrade'
export type View = 'campaigns' | 'artefacts' | 'actions'

/** The lists of the page. */
export function Views({ view }: { readonly view: View }): ReactNode {
  const link = (name: View, label: string) => (
    <ButtonLink
      to={name === 'campaigns' ? path : `${path}?view=${name}`}
      aria-current={view === name ? 'page' : undefined}
      look={view === name ? 'primary' : 'outline'}
    >
      {label}
    </ButtonLink>
  )
  return (
    <nav className="form-choices" aria-label={t('设备升级')}>
      {link('campaigns', t('升级活动'))}
      {link('artefacts', t('固件'))}
      {link('actions', t('设备明细'))}
    </nav>
  )
}
