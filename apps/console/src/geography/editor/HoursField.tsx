import { useState, type ReactNode } from 'react'
import type { FenceHours } from '@saddle/contract/geography/fences.ts'
import { clockOf } from '@saddle/contract/geography/exchange.ts'
import { t } from '#kit/i18n/index.ts'

interface Props {
  readonly value: FenceHours | null
  readonly onChange: (hours: FenceHours | null) => void
}

const usual: FenceHours = { opensMinute: 360, closesMinute: 1_380 }

const clockPattern = /^([01]?\d|2[0-3]):[0-5]\d$/

/** When a parking place takes vehicles; a place that closes before it opens is open at night. */
export function HoursField({ value, onChange }: Props): ReactNode {
  const set = (key: keyof FenceHours, text: string): void => {
    if (value === null || !clockPattern.test(text)) return
    const [hour = 0, minute = 0] = text.split(':').map(Number)
    const at = hour * 60 + minute
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
          <Clock label={t('开放')} minute={value.opensMinute} onChange={(text) => set('opensMinute', text)} />
          <span aria-hidden="true">–</span>
          <Clock label={t('关闭')} minute={value.closesMinute} onChange={(text) => set('closesMinute', text)} />
        </>
      )}
    </fieldset>
  )
}

interface ClockProps {
  readonly label: string
  readonly minute: number
  readonly onChange: (text: string) => void
}

/** A time of the day as `HH:mm` in every language: a field of the browser would follow its own. */
function Clock({ label, minute, onChange }: ClockProps) {
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <input
      className="fences-clock"
      aria-label={label}
      placeholder="HH:mm"
      maxLength={5}
      value={typed ?? clockOf(minute)}
      aria-invalid={typed !== null && !clockPattern.test(typed)}
      onChange={({ target }) => {
        setTyped(target.value)
        onChange(target.value)
      }}
      onBlur={() => setTyped(null)}
    />
  )
}
