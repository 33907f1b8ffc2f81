import type { ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import { LogPage } from './LogPage.tsx'

/** Which devices logged in, asked to be approved, and were. */
export default function DeviceLogPage(): ReactNode {
  return <LogPage category="device" title={t('设备日志')} />
}
