import { useState, type ReactNode } from 'react'
import { Link, useNavigate } from 'react-router'
import type { PagePath } from '@saddle/contract/menu.ts'
import { number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import type { Filter, ListDeclaration } from './declare.ts'
import { useListTrail } from './trail.ts'
import './listTrail.css'

interface Props<Row, F extends Filter> {
  readonly list: ListDeclaration<Row, F>
  /** The page of the list, and its title. */
  readonly path: PagePath
  readonly title: string
  readonly isShown: (row: Row) => boolean
  readonly toRow: (row: Row) => string
}

/** On a row's own page: links back to its list, with filter and position, and to the previous and next row. */
export function ListTrail<Row, F extends Filter>({ list, path, title, isShown, toRow }: Props<Row, F>): ReactNode {
  const navigate = useNavigate()
  const [isBusy, setBusy] = useState(false)
  const { search, position, previous, next } = useListTrail(list, {
    isShown,
    // The browser's back button leads to the list, not through every viewed row.
    go: (row) => void navigate(toRow(row), { replace: true }),
  })
  const step = async (go: () => Promise<void>) => {
    setBusy(true)
    // A page that cannot be read has already been reported; the row stays.
    await go().catch(() => undefined)
    setBusy(false)
  }
  const button = (label: string, sign: string, go: (() => Promise<void>) | null) => (
    <button
      type="button"
      aria-label={label}
      title={label}
      disabled={go === null || isBusy}
      onClick={() => go !== null && void step(go)}
    >
      {sign}
    </button>
  )
  return (
    <nav className="list-trail" aria-label={title}>
      <Link to={{ pathname: path, search }}>‹ {title}</Link>
      {position !== null && (
        <span>
          {button(t('上一条'), '‹', previous)}
          <output>{t('第 {{text}} 条', { text: number(position) })}</output>
          {button(t('下一条'), '›', next)}
        </span>
      )}
    </nav>
  )
}
