import type { ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import { LogPage } from './LogPage.tsx'

/** What was done to vehicles. */
export default function VehicleLogPage(): ReactNode {
  return <LogPage category="vehicle" title={t('车辆日志')} />
}
