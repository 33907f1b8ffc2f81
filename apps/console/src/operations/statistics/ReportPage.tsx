import type { ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import { WorkPage } from './WorkPage.tsx'

export default function ReportPage(): ReactNode {
  return <WorkPage page="report" title={t('巡检上报统计')} />
}
