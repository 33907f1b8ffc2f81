import {
  telephoneEndpoints,
  telephoneSpansMax,
  telephoneStateLabels,
  telephoneStates,
  type TelephoneContent,
  type TelephoneLine,
  type TelephoneSpan,
} from '@saddle/contract/marketing/telephones.ts'
import { flag, choice, many, type Option } from '#kit/form/choiceFields.tsx'
import type { Common, ControlProps, Field, Inputs } from '#kit/form/field.ts'
import { number, text } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'

/** Readings that a change of lines makes stale. */
export const staleTelephones = [telephoneEndpoints.listTelephones, telephoneEndpoints.telephoneVersions]

const dayMinutes = 1_440
export const weekdayNames = (): readonly string[] => [
  t('周一'),
  t('周二'),
  t('周三'),
  t('周四'),
  t('周五'),
  t('周六'),
  t('周日'),
]

/** `09:00` of a minute of the day; the end of a day is 24:00. */
export const clockText = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

/** The minute of the day of `09:00`; null for other texts. */
export function minuteOfClock(typed: string): number | null {
  const [, hour, minute] = /^(\d{1,2}):(\d{2})$/.exec(typed.trim()) ?? []
  if (hour === undefined || minute === undefined) return null
  const found = Number(hour) * 60 + Number(minute)
  return Number(minute) < 60 && found <= dayMinutes ? found : null
}

/** Hours of a line in words. */
export function spanText({ weekdays, from, to }: TelephoneSpan): string {
  const names = weekdayNames()
  const days = weekdays.length === 7 ? t('每天') : weekdays.map((day) => names[day - 1]).join(t('、'))
  const end = to <= from ? t('次日 {{time}}', { time: clockText(to) }) : clockText(to)
  return `${days} ${clockText(from)}–${end}`
}

interface TypedSpan {
  readonly weekdays: readonly number[]
  readonly from: string
  readonly to: string
}

const usual: TypedSpan = { weekdays: [1, 2, 3, 4, 5, 6, 7], from: '08:00', to: '22:00' }

/** Weekdays with hours, several times. */
function spans(
  options: Common & { readonly initial: readonly TelephoneSpan[] },
): Field<readonly TypedSpan[], TelephoneSpan[]> {
  const { initial, ...rest } = options
  return {
    ...rest,
    isGroup: true,
    initial:
      initial.length === 0
        ? [usual]
        : initial.map(({ weekdays, from, to }) => ({ weekdays, from: clockText(from), to: clockText(to) })),
    read: (value) => {
      const read: TelephoneSpan[] = []
      for (const { weekdays, from, to } of value) {
        const [start, end] = [minuteOfClock(from), minuteOfClock(to)]
        if (weekdays.length === 0) return { fault: t('请选择星期') }
        if (start === null || end === null) return { fault: t('时间应为 09:00 这样的格式') }
        read.push({ weekdays: weekdays.toSorted((a, b) => a - b), from: start, to: end })
      }
      return read.length === 0 ? { fault: t('请填写{{label}}', { label: rest.label }) } : { value: read }
    },
    control: (props) => <Spans {...props} />,
  }
}

function Spans({ value, onChange }: ControlProps<readonly TypedSpan[]>) {
  const change = (at: number, part: Partial<TypedSpan>) =>
    onChange(value.map((one, index) => (index === at ? { ...one, ...part } : one)))
  return (
    <div className="telephone-spans">
      {value.map((one, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the rows have no identity of their own
        <div key={index} className="telephone-span">
          <span className="form-choices">
            {weekdayNames().map((name, day) => {
              const weekday = day + 1
              const isOn = one.weekdays.includes(weekday)
              const next = isOn ? one.weekdays.filter((other) => other !== weekday) : [...one.weekdays, weekday]
              return (
                <label key={name} className="form-choice">
                  <input type="checkbox" checked={isOn} onChange={() => change(index, { weekdays: next })} />
                  <span>{name}</span>
                </label>
              )
            })}
          </span>
          <span className="form-choices">
            <input
              className="form-input"
              aria-label={t('第 {{number}} 段开始', { number: index + 1 })}
              value={one.from}
              maxLength={5}
              onChange={({ target }) => change(index, { from: target.value })}
            />
            –
            <input
              className="form-input"
              aria-label={t('第 {{number}} 段结束', { number: index + 1 })}
              value={one.to}
              maxLength={5}
              onChange={({ target }) => change(index, { to: target.value })}
            />
            {value.length > 1 && (
              <Button onClick={() => onChange(value.filter((_, other) => other !== index))}>{t('移除')}</Button>
            )}
          </span>
        </div>
      ))}
      {value.length < telephoneSpansMax && <Button onClick={() => onChange([...value, usual])}>{t('添加时段')}</Button>}
    </div>
  )
}

/** The fields of a line. */
export const telephoneFormFields = (of: TelephoneContent | null, areas: readonly Option<number>[]) => ({
  label: text({ label: t('名称'), at: 'content.label', initial: of?.label ?? '' }),
  labelEn: text({ label: t('英文名称'), at: 'content.labelEn', initial: of?.labelEn ?? '', isOptional: true }),
  number: text({
    label: t('电话号码'),
    at: 'content.number',
    initial: of?.number ?? '',
    inputMode: 'tel',
    hint: t('手机号、带区号的座机、400/800 或 95/96 开头的号码'),
    keep: (typed) => typed.replaceAll(/[^\d-]/g, ''),
  }),
  areaIds: many<number>({
    label: t('适用服务区'),
    note: t('不选则全部'),
    at: 'content.areaIds',
    options: areas,
    initial: of?.areaIds ?? [],
  }),
  spans: spans({ label: t('接听时段'), note: t('可跨零点'), at: 'content.spans', initial: of?.spans ?? [] }),
  isClosedOnHolidays: flag({
    label: t('节假日'),
    at: 'content.isClosedOnHolidays',
    says: t('节假日休息'),
    initial: of?.isClosedOnHolidays ?? false,
  }),
  priority: number({
    label: t('优先级'),
    at: 'content.priority',
    initial: of?.priority ?? 5,
    hint: t('1 最先显示，9 最后'),
  }),
  state: choice({
    label: t('状态'),
    at: 'content.state',
    initial: of?.state ?? 'on',
    options: telephoneStates.map((value) => ({ value, label: t(telephoneStateLabels[value]) })),
  }),
})

/** The content as the call takes it. */
export const telephoneContentOf = (values: Inputs<ReturnType<typeof telephoneFormFields>>): TelephoneContent => ({
  ...values,
  labelEn: values.labelEn ?? '',
})

/** The content of a line that is there. */
export const contentOfLine = (line: TelephoneLine): TelephoneContent => {
  const { label, labelEn, number: dialled, areaIds, spans: hours, isClosedOnHolidays, priority, state } = line
  return { label, labelEn, number: dialled, areaIds, spans: hours, isClosedOnHolidays, priority, state }
}
