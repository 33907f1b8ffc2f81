import { useState, type ReactNode } from 'react'
import { visibleText } from '@saddle/contract/answers.ts'
import { t } from '#kit/i18n/index.ts'

interface Props {
  readonly label: string
  readonly value: string
  readonly onChange: (text: string) => void
}

const keywordMax = 40

/** A search field; it searches on Enter or when it loses the focus, not on every letter. */
export function KeywordField({ label, value, onChange }: Props): ReactNode {
  const [draft, setDraft] = useState({ of: value, text: value })
  const text = draft.of === value ? draft.text : value
  const put = (next: string) => {
    const word = visibleText(next)
    if (word !== value) onChange(word)
  }
  return (
    <span className="filter-word" data-label={label}>
      <svg viewBox="0 0 20 20" aria-hidden="true">
        <path d="M8.8 14.6a5.8 5.8 0 1 0 0-11.6 5.8 5.8 0 0 0 0 11.6zM13 13l4 4" />
      </svg>
      <input
        className="text-input"
        type="search"
        value={text}
        maxLength={keywordMax}
        aria-label={label}
        placeholder={label}
        onChange={(event) => setDraft({ of: value, text: event.target.value })}
        onBlur={() => put(text)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') put(text)
          if (event.key === 'Escape') event.currentTarget.blur()
        }}
      />
      {text !== '' && (
        <button
          type="button"
          aria-label={t('清空“{{title}}”', { title: label })}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => {
            setDraft({ of: value, text: '' })
            put('')
          }}
        >
          ×
        </button>
      )}
    </span>
  )
}
