import { useId, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import type { AgentNode } from '@saddle/contract/organisation/companies.ts'
import { t } from '#kit/i18n/index.ts'
import { Empty } from '#kit/ui/states.tsx'
import { pathTo, treeRows, treeStep, type TreeRow } from './tree.ts'
import './tree.css'

interface Props {
  readonly label: string
  readonly nodes: readonly AgentNode[]
  /** Key of the line that is chosen. */
  readonly selected: string | null
  readonly onSelect: (row: TreeRow) => void
}

const rowPx = 32
/** Lines beyond the edges, so that a fast scroll shows no gap. */
const spare = 12

/** Companies and their areas. Only the lines in sight are in the document, however many there are. */
export function AgentTree({ label, nodes, selected, onSelect }: Props): ReactNode {
  const [keyword, setKeyword] = useState('')
  const [opened, setOpened] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [shownFor, setShownFor] = useState<string | null>(null)
  // A line selected elsewhere must be visible: all its ancestors are opened, once.
  if (selected !== shownFor && nodes.length > 0) {
    setShownFor(selected)
    if (selected !== null)
      setOpened(new Map([...opened, ...pathTo(nodes, selected).map((key) => [key, true] as const)]))
  }
  const hasAreas = nodes.some(({ areaList }) => areaList.length > 0)
  const searchLabel = hasAreas ? t('搜索加盟商或服务区') : t('搜索加盟商')
  const rows = useMemo(() => treeRows({ nodes, opened, keyword }), [nodes, opened, keyword])
  const turn = (row: TreeRow): void => setOpened(new Map(opened).set(row.key, !row.isOpen))
  return (
    <div className="agent-tree">
      <input
        type="search"
        className="text-input tree-search"
        placeholder={searchLabel}
        aria-label={searchLabel}
        value={keyword}
        onChange={(event) => setKeyword(event.target.value)}
      />
      {rows.length === 0 ? (
        <Empty title={t('没有符合的加盟商或服务区')} />
      ) : (
        <Lines label={label} rows={rows} selected={selected} onSelect={onSelect} onTurn={turn} />
      )}
    </div>
  )
}

interface LinesProps {
  readonly label: string
  readonly rows: readonly TreeRow[]
  readonly selected: string | null
  readonly onSelect: (row: TreeRow) => void
  readonly onTurn: (row: TreeRow) => void
}

function Lines({ label, rows, selected, onSelect, onTurn }: LinesProps) {
  const id = useId()
  const host = useRef<HTMLDivElement>(null)
  const { first, count } = useWindow(host, rows.length)
  const [activeKey, setActiveKey] = useState<string | null>(selected)
  const found = rows.findIndex((row) => row.key === activeKey)
  const active = found === -1 ? 0 : found
  // A line selected elsewhere becomes the starting point for the keyboard.
  const [followed, setFollowed] = useState(selected)
  if (followed !== selected) {
    setFollowed(selected)
    setActiveKey(selected)
  }
  const chosen = rows.findIndex((row) => row.key === selected)
  const revealed = useRef<string | null>(null)
  useLayoutEffect(() => {
    if (chosen === -1 || revealed.current === selected) return
    revealed.current = selected
    reveal(host.current, chosen)
  }, [chosen, selected])
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rows[active]
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault()
      if (row !== undefined) onSelect(row)
      return
    }
    const step = treeStep(rows, active, event.key)
    if (step === null) return
    event.preventDefault()
    if (step === 'turn') return row === undefined ? undefined : onTurn(row)
    setActiveKey(rows[step.to]?.key ?? null)
    reveal(host.current, step.to)
  }
  const shown = rows.slice(first, first + count)
  return (
    <div
      ref={host}
      className="agent-tree-lines"
      role="tree"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={active >= first && active < first + count ? `${id}-${active}` : undefined}
      onKeyDown={onKeyDown}
    >
      <div className="tree-room" role="none" style={{ height: rows.length * rowPx }}>
        {shown.map((row, index) => (
          <Line
            key={row.key}
            id={`${id}-${first + index}`}
            row={row}
            top={(first + index) * rowPx}
            isActive={first + index === active}
            isSelected={row.key === selected}
            onSelect={() => {
              setActiveKey(row.key)
              onSelect(row)
            }}
            onToggle={() => onTurn(row)}
          />
        ))}
      </div>
    </div>
  )
}

/** Scrolls as little as it takes for a line to be in sight. */
function reveal(box: HTMLElement | null, index: number): void {
  if (box === null) return
  const top = index * rowPx
  if (top < box.scrollTop) box.scrollTop = top
  else if (top + rowPx > box.scrollTop + box.clientHeight) box.scrollTop = top + rowPx - box.clientHeight
}

/** Which lines are in sight. */
function useWindow(host: { readonly current: HTMLDivElement | null }, length: number) {
  const [sight, setSight] = useState({ top: 0, height: 640 })
  useLayoutEffect(() => {
    const box = host.current
    if (box === null) return undefined
    const look = (): void => setSight({ top: box.scrollTop, height: box.clientHeight })
    look()
    box.addEventListener('scroll', look, { passive: true })
    const observer = typeof ResizeObserver === 'undefined' ? null : new ResizeObserver(look)
    observer?.observe(box)
    return () => {
      box.removeEventListener('scroll', look)
      observer?.disconnect()
    }
  }, [host])
  const first = Math.max(0, Math.min(Math.floor(sight.top / rowPx) - spare, length - 1))
  return { first, count: Math.ceil(sight.height / rowPx) + 2 * spare }
}

interface LineProps {
  readonly id: string
  readonly row: TreeRow
  readonly top: number
  readonly isActive: boolean
  readonly isSelected: boolean
  readonly onSelect: () => void
  readonly onToggle: () => void
}

function Line({ id, row, top, isActive, isSelected, onSelect, onToggle }: LineProps) {
  return (
    <div
      id={id}
      className="tree-line"
      role="treeitem"
      tabIndex={-1}
      aria-level={row.depth + 1}
      aria-selected={isSelected}
      {...(row.hasChildren && { 'aria-expanded': row.isOpen })}
      data-active={isActive}
      data-kind={row.kind}
      data-off={!row.isEnabled}
      style={{ transform: `translateY(${top}px)`, paddingInlineStart: 8 + row.depth * 16 }}
      onClick={onSelect}
      onKeyDown={() => undefined}
    >
      <span
        className="tree-twist"
        aria-hidden="true"
        data-open={row.hasChildren ? row.isOpen : undefined}
        onClick={(event) => {
          if (!row.hasChildren) return
          event.stopPropagation()
          onToggle()
        }}
      />
      <span className="tree-label" title={row.label}>
        {row.label}
      </span>
      {!row.isEnabled && <span className="tree-off">{t('已停用')}</span>}
    </div>
  )
}
