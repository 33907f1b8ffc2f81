import type { ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import { WorkPage } from './WorkPage.tsx'

export default function InspectionPage(): ReactNode {
  return <WorkPage page="inspection" title={t('巡检统计')} />
}
