import type { ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import { WorkPage } from './WorkPage.tsx'

export default function MovePage(): ReactNode {
  return <WorkPage page="move" title={t('挪车统计')} />
}
