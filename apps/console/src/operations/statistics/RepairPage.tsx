import type { ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import { WorkPage } from './WorkPage.tsx'

export default function RepairPage(): ReactNode {
  return <WorkPage page="repair" title={t('维修统计')} />
}
