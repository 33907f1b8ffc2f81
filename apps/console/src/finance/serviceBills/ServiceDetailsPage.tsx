import type { ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import { LinesPage } from './LinesPage.tsx'

/** The fee of vehicles in service, by area and day. */
export default function ServiceDetailsPage(): ReactNode {
  return <LinesPage group="service" title={t('服务明细')} />
}
