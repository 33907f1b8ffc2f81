import { deviceProtocolLabels, deviceProtocols } from '@saddle/contract/fleet/protocols.ts'
import { t } from '#kit/i18n/index.ts'

/** An alarm's name in words; a code that no profile knows is shown as it is. */
export function alarmLabel(kind: string): string {
  switch (kind) {
    case 'illegal_movement':
      return t('非法移动')
    case 'fall':
      return t('倾倒')
    case 'tamper':
      return t('拆动')
    case 'low_battery':
      return t('低电量')
    case 'power_cut':
      return t('断电', { context: 'alarm' })
    default:
      return t('告警 {{code}}', { code: kind })
  }
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
