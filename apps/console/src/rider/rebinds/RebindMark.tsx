import type { ReactNode } from 'react'
import { rebindStateLabels, type RebindState } from '@saddle/contract/rider/rebinds.ts'
import { t } from '#kit/i18n/index.ts'
import { Mark, type Tone } from '#kit/ui/Mark.tsx'

const tones: Readonly<Record<RebindState, Tone>> = { waiting: 'warn', approved: 'good', refused: 'bad' }

export function RebindMark({ state }: { state: RebindState }): ReactNode {
  return <Mark tone={tones[state]}>{t(rebindStateLabels[state])}</Mark>
}
