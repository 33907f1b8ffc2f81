import type { ReactNode } from 'react'
import { certificateStateLabels, type CertificateState } from '@saddle/contract/rider/certificates.ts'
import { t } from '#kit/i18n/index.ts'
import { Mark, type Tone } from '#kit/ui/Mark.tsx'

const tones: Readonly<Record<CertificateState, Tone>> = {
  waiting: 'warn',
  approved: 'good',
  refused: 'bad',
  expired: 'off',
}

export function CertificateMark({ state }: { state: CertificateState }): ReactNode {
  return <Mark tone={tones[state]}>{t(certificateStateLabels[state])}</Mark>
}
