import type { ReactNode } from 'react'
import { differenceStateLabels, type DifferenceState } from '@saddle/contract/finance/channelBills.ts'
import { t } from '#kit/i18n/index.ts'
import { Mark, type Tone } from '#kit/ui/Mark.tsx'

const tones: Readonly<Record<DifferenceState, Tone>> = {
  parked: 'off',
  open: 'bad',
  proposed: 'warn',
  suspended: 'warn',
  resolved: 'good',
  cleared: 'good',
}

export function DifferenceMark({ state }: { state: DifferenceState }): ReactNode {
  return <Mark tone={tones[state]}>{t(differenceStateLabels[state])}</Mark>
}
