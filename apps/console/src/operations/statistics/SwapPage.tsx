import type { ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import { WorkPage } from './WorkPage.tsx'

export default function SwapPage(): ReactNode {
  return <WorkPage page="swap" title={t('换电统计')} />
}
