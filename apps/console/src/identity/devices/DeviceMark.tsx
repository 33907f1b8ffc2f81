import type { ReactNode } from 'react'
import { operatorDeviceStateLabels, type OperatorDevice } from '@saddle/contract/identity/devices.ts'
import { t } from '#kit/i18n/index.ts'
import { Mark, type Tone } from '#kit/ui/Mark.tsx'

const tones: Readonly<Record<OperatorDevice['state'], Tone>> = { requested: 'warn', approved: 'good', unknown: 'off' }

export function DeviceMark({ state }: Pick<OperatorDevice, 'state'>): ReactNode {
  return <Mark tone={tones[state]}>{t(operatorDeviceStateLabels[state])}</Mark>
}
