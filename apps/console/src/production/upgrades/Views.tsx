import type { ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import { ViewSegments } from '#kit/plain/ViewSegments.tsx'

const path = '/production/device-upgrade'
export type View = 'campaigns' | 'artefacts' | 'actions'

/** The lists of the page. */
export function Views({ view }: { readonly view: View }): ReactNode {
  return (
    <ViewSegments<View>
      path={path}
      label={t('设备升级')}
      options={[
        { value: 'campaigns', label: t('升级活动') },
        { value: 'artefacts', label: t('固件') },
        { value: 'actions', label: t('设备明细') },
      ]}
      value={view}
    />
  )
}
