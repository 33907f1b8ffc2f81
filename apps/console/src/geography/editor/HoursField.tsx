import type { ReactNode } from 'react'
import type { FenceHours } from '@saddle/contract/geography/fences.ts'
import { clockOf } from '@saddle/contract/geography/exchange.ts'
import { t } from '#kit/i18n/index.ts'

interface Props {
  readonly value: FenceHours | null
  readonly onChange: (hours: FenceHours | null) => void
}

const usual: FenceHours = { opensMinute: 360, closesMinute: 1_380 }

/** When a parking place takes vehicles; a place that closes before it opens is open at night. */
export function HoursField({ value, onChange }: Props): ReactNode {
  const set = (key: keyof FenceHours, text: string): void => {
    const [hour = Number.NaN, minute = Number.NaN] = text.split(':').map(Number)
    const at = hour * 60 + minute
    if (value === null || !Number.isInteger(at)) return
    const next = { ...value, [key]: at }
    if (next.opensMinute !== next.closesMinute) onChange(next)
  }
  return (
    <fieldset className="fences-hours">
      <legend>{t('开放时间')}</legend>
      <label className="fences-check">
        <input
          type="checkbox"
          checked={value === null}
          onChange={(event) => onChange(event.target.checked ? null : usual)}
        />
        {t('全天')}
      </label>
      {value !== null && (
        <>
          <input
            type="time"
            aria-label={t('开放')}
            value={clockOf(value.opensMinute)}
            onChange={(event) => set('opensMinute', event.target.value)}
          />
          <span aria-hidden="true">–</span>
          <input
            type="time"
            aria-label={t('关闭')}
            value={clockOf(value.closesMinute)}
            onChange={(event) => set('closesMinute', event.target.value)}
          />
        </>
      )}
    </fieldset>
  )
}
