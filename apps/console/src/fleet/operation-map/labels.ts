import { deviceProtocolLabels, deviceProtocols } from '@saddle/contract/fleet/protocols.ts'
import { alarmKindLabels } from '@saddle/contract/fleet/vehicles.ts'
import { t } from '#kit/i18n/index.ts'

/** An alarm's name in words; a code that no profile knows is shown as it is. */
export function alarmLabel(kind: string): string {
  if (kind === 'other') return t('其他告警')
  const known = alarmKindLabels[kind]
  return known === undefined ? t('告警 {{code}}', { code: kind }) : t(known, { context: 'alarm' })
}

/** Eight compass points are precise enough here. */
export function headingLabel(headingDeg: number): string {
  const points = [t('北'), t('东北'), t('东'), t('东南'), t('南'), t('西南'), t('西'), t('西北')]
  return points[Math.round(headingDeg / 45) % 8] ?? ''
}

/** The name of a device's protocol; an unknown one is shown as it is. */
export function protocolLabel(protocol: string): string {
  const known = deviceProtocols.find((one) => one === protocol)
  return known === undefined ? protocol : deviceProtocolLabels[known]
}
