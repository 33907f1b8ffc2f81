import { useState, type FormEvent, type ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'

export interface Choice {
  readonly value: string | number | boolean
  readonly label: string
}

interface ChoiceProps {
  readonly title: string
  readonly choices: readonly Choice[]
  readonly value: readonly Choice['value'][]
  /** Several may be chosen. */
  readonly isMany?: boolean
  readonly onChange: (value: readonly Choice['value'][]) => void
}

/** A search field is shown from this number of choices on. */
const searchFrom = 9
/** The maximum number of choices drawn; the search finds the others. */
const shownMax = 200

/** The choices of one condition, each with its label. */
export function ChoicePanel({ title, choices, value, isMany = false, onChange }: ChoiceProps): ReactNode {
  const [word, setWord] = useState('')
  const found = choices.filter(({ label }) => label.toLowerCase().includes(word.trim().toLowerCase()))
  const toggle = (one: Choice['value']) => {
    if (!isMany) return onChange([one])
    // In the order of the choices, so that the same selection gives the same query.
    const next = new Set(value.includes(one) ? value.filter((other) => other !== one) : [...value, one])
    onChange(choices.filter((choice) => next.has(choice.value)).map((choice) => choice.value))
  }
  return (
    <fieldset className="filter-choices">
      <legend className="visually-hidden">{title}</legend>
      {choices.length >= searchFrom && (
        <input
          type="text"
          className="text-input"
          aria-label={t('查找')}
          placeholder={t('查找')}
          value={word}
          onChange={(event) => setWord(event.target.value)}
        />
      )}
      <div className="filter-options">
        {found.slice(0, shownMax).map((choice) => (
          <label key={String(choice.value)}>
            <input
              type={isMany ? 'checkbox' : 'radio'}
              name={title}
              checked={value.includes(choice.value)}
              onChange={() => toggle(choice.value)}
            />
            {choice.label}
          </label>
        ))}
        {found.length === 0 && <p>{t('没有找到')}</p>}
      </div>
      {isMany && choices.length > 1 && (
        <footer>
          <button type="button" className="filter-link" onClick={() => onChange(choices.map((choice) => choice.value))}>
            {t('全选')}
          </button>
          <button type="button" className="filter-link" disabled={value.length === 0} onClick={() => onChange([])}>
            {t('不限')}
          </button>
        </footer>
      )}
      {!isMany && value.length > 0 && (
        <footer>
          <button type="button" className="filter-link" onClick={() => onChange([])}>
            {t('不限')}
          </button>
        </footer>
      )}
    </fieldset>
  )
}

interface NumbersProps {
  readonly title: string
  readonly from: number | undefined
  readonly to: number | undefined
  /** The label of each field; null: the field is not shown. */
  readonly labels: readonly [from: string | null, to: string | null]
  /** Both limits may be the same number. */
  readonly isInclusive?: boolean
  readonly limits?: readonly [min: number, max: number]
  readonly onChange: (from: number | undefined, to: number | undefined) => void
}

/** One or two numbers; errors are shown in words, not only by a disabled button. */
export function NumbersPanel(props: NumbersProps): ReactNode {
  const { title, from, to, labels, isInclusive = false, limits: [min, max] = [0, 999_999_999], onChange } = props
  const [texts, setTexts] = useState([from?.toString() ?? '', to?.toString() ?? ''] as const)
  const [least, most] = texts.map(readNumber)
  const isOutside = [least, most].some((value) => typeof value === 'number' && (value < min || value > max))
  const fault =
    least === null || most === null
      ? t('请填写数字')
      : isOutside
        ? t('请填写 {{min}} 到 {{max}} 的数字', { min, max })
        : least !== undefined && most !== undefined && (least > most || (least === most && !isInclusive))
          ? t('下限要小于上限')
          : null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (fault === null) onChange(least ?? undefined, most ?? undefined)
  }
  const field = (index: 0 | 1, label: string | null) =>
    label !== null && (
      <label>
        {label}
        <input
          className="text-input"
          inputMode="decimal"
          maxLength={12}
          value={texts[index]}
          onChange={({ target }) => setTexts(index === 0 ? [target.value, texts[1]] : [texts[0], target.value])}
        />
      </label>
    )
  return (
    <form className="filter-amount" aria-label={title} onSubmit={submit}>
      <div>
        {field(0, labels[0])}
        {field(1, labels[1])}
      </div>
      {fault !== null && <p role="alert">{fault}</p>}
      <footer>
        <button type="button" className="filter-link" onClick={() => onChange(undefined, undefined)}>
          {t('不限')}
        </button>
        <Button type="submit" look="primary" disabled={fault !== null}>
          {t('确定')}
        </Button>
      </footer>
    </form>
  )
}

/** Undefined for empty text, null for an invalid number. */
function readNumber(text: string): number | undefined | null {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  return /^-?\d{1,9}(\.\d{1,2})?$/.test(trimmed) ? Number(trimmed) : null
}
