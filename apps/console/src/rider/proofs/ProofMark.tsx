import type { ReactNode } from 'react'
import { proofStateLabels, type ProofState } from '@saddle/contract/rider/proofs.ts'
import { t } from '#kit/i18n/index.ts'
import { Mark, type Tone } from '#kit/ui/Mark.tsx'

const tones: Readonly<Record<ProofState, Tone>> = { waiting: 'warn', approved: 'good', refused: 'bad', expired: 'off' }

export function ProofMark({ state }: { state: ProofState }): ReactNode {
  return <Mark tone={tones[state]}>{t(proofStateLabels[state])}</Mark>
}
