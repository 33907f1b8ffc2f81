import type { ReactNode } from 'react'
import { unknownDeviceStateLabels, type UnknownDevice } from '@saddle/contract/fleet/unknownDevices.ts'
import { t } from '#kit/i18n/index.ts'
import { Mark, type Tone } from '#kit/ui/Mark.tsx'

const tones: Readonly<Record<UnknownDevice['state'], Tone>> = { open: 'warn', refused: 'bad', accepted: 'good' }

export function UnknownMark({ state }: Pick<UnknownDevice, 'state'>): ReactNode {
  return <Mark tone={tones[state]}>{t(unknownDeviceStateLabels[state])}</Mark>
}
