import { useState, type ReactNode } from 'react'
import { visibleText } from '@saddle/contract/answers.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import './filter.css'

interface BarProps {
  /** How many conditions are set. */
  readonly count: number
  readonly onClear: () => void
  readonly children: ReactNode
}

/** One row of conditions, and what takes all of them back. */
export function FilterBar({ count, onClear, children }: BarProps): ReactNode {
  return (
    <search className="filter-bar" aria-label={t('筛选条件')}>
      <div className="filter-row">
        {children}
        {count > 0 && (
          <Button look="quiet" onClick={onClear}>
            {t('清除 {{count}} 个条件', { count })}
          </Button>
        )}
      </div>
    </search>
  )
}

interface KeywordProps {
  readonly label: string
  readonly value: string
  readonly onChange: (text: string) => void
}

/** A word to look for; asked for when Enter is pressed or the field is left, not with every letter. */
export function Keyword({ label, value, onChange }: KeywordProps): ReactNode {
  const [draft, setDraft] = useState({ of: value, text: value })
  const text = draft.of === value ? draft.text : value
  const put = () => {
    const word = visibleText(text)
    if (word !== value) onChange(word)
  }
  return (
    <input
      type="search"
      className="filter-keyword"
      value={text}
      maxLength={40}
      aria-label={label}
      placeholder={label}
      onChange={(event) => setDraft({ of: value, text: event.target.value })}
      onBlur={put}
      onKeyDown={(event) => {
        if (event.key === 'Enter') put()
      }}
    />
  )
}
