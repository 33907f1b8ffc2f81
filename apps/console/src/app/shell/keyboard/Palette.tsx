/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-noninteractive-element-to-interactive-role, jsx-a11y/click-events-have-key-events -- the ARIA combobox with a listbox: the keys are heard by the field, which keeps the focus */
import { useState, type KeyboardEvent, type ReactElement } from 'react'
import { useNavigate } from 'react-router'
import { t } from '#kit/i18n/index.ts'
import { Icon } from '../Icon.tsx'
import { Overlay } from '../parts/Overlay.tsx'
import type { Found } from './find.ts'
import { useFound } from './useFound.ts'

/** Finds pages, things and acts by one text: whatever the reader may open. */
export default function Palette({ onClose }: { readonly onClose: () => void }): ReactElement {
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const { found, isBusy } = useFound(text)
  const go = (to: Found | undefined): void => {
    if (to === undefined) return
    onClose()
    void navigate(to.to)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setAt((before) => (before + step + found.length) % Math.max(found.length, 1))
    }
    if (event.key === 'Enter') go(found[at])
  }
  return (
    <Overlay label={t('查找')} place="middle" onClose={onClose}>
      <div className="shell-palette-field">
        <Icon name="search" />
        <input
          data-autofocus
          type="text"
          role="combobox"
          aria-label={t('查找')}
          aria-expanded={found.length > 0}
          aria-controls="palette-found"
          aria-activedescendant={found[at] === undefined ? undefined : `palette-${at}`}
          placeholder={t('页面、车辆尾号、订单号、手机号、姓名，或“开锁 SD100001”')}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onKeyDown={onKeyDown}
          onChange={(event) => {
            setText(event.target.value)
            setAt(0)
          }}
        />
        <kbd>Esc</kbd>
      </div>
      <ul id="palette-found" role="listbox" aria-label={t('结果')} className="shell-palette-list">
        {found.map((each, index) => (
          <li
            key={each.to}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === at}
            ref={(element) => {
              if (index === at) element?.scrollIntoView({ block: 'nearest' })
            }}
            onPointerMove={() => setAt(index)}
            onClick={() => go(each)}
          >
            <Icon name={each.icon} size={16} />
            <span>{each.title}</span>
            <small>{each.note}</small>
          </li>
        ))}
      </ul>
      {found.length === 0 && (
        <p className="shell-palette-none" aria-live="polite">
          {isBusy ? t('正在查找…') : t('没有找到。订单号、手机号与姓名要完整，车辆可以只输入尾号。')}
        </p>
      )}
    </Overlay>
  )
}
