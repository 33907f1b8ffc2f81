import type { ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import { ViewSegments } from '#kit/plain/ViewSegments.tsx'

const path = '/production/factory-test'
export type View = 'tests' | 'reworks' | 'models'

/** The lists of the page. */
export function Views({ view }: { readonly view: View }): ReactNode {
  return (
    <ViewSegments<View>
      path={path}
      label={t('出厂检测')}
      options={[
        { value: 'tests', label: t('检测记录') },
        { value: 'reworks', label: t('返修清单') },
        { value: 'models', label: t('检测项目') },
      ]}
      value={view}
    />
  )
}
