import type { ReactNode } from 'react'
import { parkApplicationStateLabels, type ParkApplicationState } from '@saddle/contract/operations/parkApplications.ts'
import { t } from '#kit/i18n/index.ts'
import { Mark, type Tone } from '#kit/ui/Mark.tsx'

const tones: Readonly<Record<ParkApplicationState, Tone>> = {
  waiting: 'warn',
  approved: 'good',
  rejected: 'bad',
  withdrawn: 'off',
}

export function ParkApplicationMark({ state }: { readonly state: ParkApplicationState }): ReactNode {
  return <Mark tone={tones[state]}>{t(parkApplicationStateLabels[state])}</Mark>
}
