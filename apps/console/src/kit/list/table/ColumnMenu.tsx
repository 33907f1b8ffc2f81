import { useState, type ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import { Popover } from '#kit/ui/Popover.tsx'
import { useDensity } from '../preferences.ts'
import type { ColumnChoice, TableLayout } from './layout.ts'
import './columnMenu.css'

type Layout = Pick<TableLayout<unknown>, 'choices' | 'isChanged' | 'show' | 'pin' | 'move' | 'reset'>

/** Chooses a list's columns, their order and fixed edges, and the row height. */
export function ColumnMenu({ layout }: { readonly layout: Layout }): ReactNode {
  return (
    <Popover label={t('列设置')} face={<Face />} buttonLabel={t('列设置')} className="list-tool">
      {() => <Menu layout={layout} />}
    </Popover>
  )
}

const Face = () => (
  <>
    <svg viewBox="0 0 20 20" aria-hidden="true">
      <path d="M3 4h14v12H3zM8 4v12M13 4v12" />
    </svg>
    <span>{t('列')}</span>
  </>
)

function Menu({ layout }: { readonly layout: Layout }) {
  const [density, setDensity] = useDensity()
  const [dragged, setDragged] = useState<string | null>(null)
  const { choices, isChanged, reset } = layout
  const visible = choices.filter(({ isVisible }) => isVisible).length
  return (
    <div className="column-menu">
      <fieldset>
        <legend>{t('行高')}</legend>
        {(['compact', 'comfortable'] as const).map((value) => (
          <button key={value} type="button" aria-pressed={density === value} onClick={() => setDensity(value)}>
            {value === 'compact' ? t('紧凑') : t('宽松')}
          </button>
        ))}
      </fieldset>
      <ul aria-label={t('列')}>
        {choices.map((choice, index) => (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the buttons in it move it as well
          <li
            key={choice.key}
            data-dragged={dragged === choice.key}
            onDragOver={(event) => event.preventDefault()}
            onDrop={() => {
              if (dragged !== null && dragged !== choice.key) layout.move(dragged, choice.key)
              setDragged(null)
            }}
          >
            <Choice
              choice={choice}
              layout={layout}
              isLastVisible={visible === 1 && choice.isVisible}
              before={choices[index - 1]?.key ?? null}
              after={choices[index + 2]?.key ?? null}
              isFirst={index === 0}
              isLast={index === choices.length - 1}
              onDrag={setDragged}
            />
          </li>
        ))}
      </ul>
      <footer>
        <button type="button" disabled={!isChanged} onClick={reset}>
          {t('恢复默认')}
        </button>
      </footer>
    </div>
  )
}

interface ChoiceProps {
  readonly choice: ColumnChoice
  readonly layout: Layout
  readonly isLastVisible: boolean
  readonly before: string | null
  /** The column after the next one: what this one comes before when it moves down. */
  readonly after: string | null
  readonly isFirst: boolean
  readonly isLast: boolean
  readonly onDrag: (key: string | null) => void
}

function Choice({ choice, layout, isLastVisible, before, after, isFirst, isLast, onDrag }: ChoiceProps) {
  const { key, title, isVisible, edge } = choice
  const nextEdge = edge === null ? 'start' : edge === 'start' ? 'end' : null
  const edgeWords = edge === null ? t('不固定') : edge === 'start' ? t('固定在左') : t('固定在右')
  return (
    <>
      <span
        className="column-grip"
        draggable
        aria-hidden="true"
        onDragStart={() => onDrag(key)}
        onDragEnd={() => onDrag(null)}
      >
        ⠿
      </span>
      <label>
        <input
          type="checkbox"
          checked={isVisible}
          disabled={isLastVisible}
          onChange={({ target }) => layout.show(key, target.checked)}
        />
        {title}
      </label>
      <button
        type="button"
        aria-label={t('上移“{{title}}”', { title })}
        disabled={isFirst}
        onClick={() => layout.move(key, before)}
      >
        ↑
      </button>
      <button
        type="button"
        aria-label={t('下移“{{title}}”', { title })}
        disabled={isLast}
        onClick={() => layout.move(key, after)}
      >
        ↓
      </button>
      <button
        type="button"
        className="column-edge"
        data-edge={edge}
        title={edgeWords}
        aria-label={t('“{{title}}”{{edge}}，点按切换', { title, edge: edgeWords })}
        onClick={() => layout.pin(key, nextEdge)}
      >
        {edge === 'start' ? '⇤' : edge === 'end' ? '⇥' : '↔'}
      </button>
    </>
  )
}
