import { number } from '../format.ts'
import { t } from '../i18n/index.ts'
import type { Bar } from './Bars.tsx'

export interface BatteryBand {
  readonly count: number
  /** Those that their companies count as low. */
  readonly low: number
}

/** The tone of a bar of vehicles by battery: companies differ in what is low, so the vehicles tell it and not the band. */
export const batteryTone = ({ count, low }: BatteryBand): Pick<Bar, 'tone'> => (low * 2 > count ? { tone: 'warn' } : {})

/** What is low in a band that has both. */
export const lowNote = ({ count, low }: BatteryBand): string =>
  low > 0 && low < count ? ` · ${t('低电量 {{low}}', { low: number(low) })}` : ''
