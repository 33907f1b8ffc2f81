import type { Common, Field } from '#kit/form/field.ts'
import { text } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'

const hourMinutes = 60

/** `HH:mm` of a minute of the business day. */
export const clockText = (minute: number): string =>
  [Math.floor(minute / hourMinutes), minute % hourMinutes].map((part) => String(part).padStart(2, '0')).join(':')

/** A time of day, sent as the minute of the business day. */
export function minuteOfDay(options: Common & { readonly initial: string }): Field<string, number> {
  const { initial, ...rest } = options
  return {
    ...text({ ...rest, initial, inputMode: 'numeric', placeholder: '22:00' }),
    read: (value) => {
      const [, hour = '', minute = ''] = /^([01]?\d|2[0-3])[:：]([0-5]\d)$/.exec(value.trim()) ?? []
      return hour === ''
        ? { fault: t('{{label}}应写作 22:00', { label: rest.label }) }
        : { value: Number(hour) * hourMinutes + Number(minute) }
    },
  }
}
