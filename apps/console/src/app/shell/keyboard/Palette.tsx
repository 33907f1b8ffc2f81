/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-noninteractive-element-to-interactive-role, jsx-a11y/click-events-have-key-events -- the ARIA combobox with a listbox: the keys are heard by the field, which keeps the focus */
import { useState, type KeyboardEvent, type ReactElement } from 'react'
import { useNavigate } from 'react-router'
import { t } from '#kit/i18n/index.ts'
import { usePermissions } from '#kit/session/permissions.ts'
import { Icon } from '../Icon.tsx'
import { Overlay } from '../parts/Overlay.tsx'
import { find, type Found } from './find.ts'

/** Finds any permitted page by its name, and a vehicle by its number. */
export function Palette({ onClose }: { readonly onClose: () => void }): ReactElement {
  const { held } = usePermissions()
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const found = find(text, held, t)
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
    <Overlay label={t('查找页面或车辆')} place="middle" onClose={onClose}>
      <div className="shell-palette-field">
        <Icon name="search" />
        <input
          data-autofocus
          type="text"
          role="combobox"
          aria-label={t('查找页面或车辆')}
          aria-expanded={found.length > 0}
          aria-controls="palette-found"
          aria-activedescendant={found[at] === undefined ? undefined : `palette-${at}`}
          placeholder={t('页面名称或车辆编号，如 SD100001')}
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
            <Icon name={each.kind === 'vehicle' ? 'vehicle' : 'log'} size={16} />
            <span>{each.title}</span>
            <small>{each.above.join(' / ')}</small>
          </li>
        ))}
      </ul>
      {found.length === 0 && (
        <p className="shell-palette-none">{t('没有找到。可以输入页面名称的一部分，或完整的车辆编号。')}</p>
      )}
    </Overlay>
  )
}
