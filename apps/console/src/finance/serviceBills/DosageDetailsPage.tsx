import type { ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import { LinesPage } from './LinesPage.tsx'

/** What was used: messages, device data, map calls, certifications. */
export default function DosageDetailsPage(): ReactNode {
  return <LinesPage group="usage" title={t('用量明细')} />
}
