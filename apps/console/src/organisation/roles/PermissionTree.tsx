import { memo, useCallback, useMemo, useState, type KeyboardEvent, type ReactNode } from 'react'
import type { GrantRow } from '@saddle/contract/organisation/roles.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { Empty } from '#kit/ui/states.tsx'
import { forestOf, foundLines, ticksOf, toggled, type Tick, type TreeLine } from './permissionForest.ts'
import '../parts/parts.css'

interface Props {
  readonly rows: readonly GrantRow[]
  readonly held: ReadonlySet<string>
  /** A state's setter, which stays the same; absent: the tree is only read. */
  readonly onChange?: (change: (before: ReadonlySet<string>) => ReadonlySet<string>) => void
}

/**
 * The tree of permissions with boxes. Arrow keys go through the lines, ← and → fold and unfold, the space bar ticks; a
 * line that the person does not hold says why it cannot be ticked.
 */
export function PermissionTree({ rows, held, onChange }: Props): ReactNode {
  const forest = useMemo(() => forestOf(rows), [rows])
  const ticks = useMemo(() => ticksOf(forest, held), [forest, held])
  const [words, setWords] = useState('')
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
  // The same function every time, so that only lines that changed are drawn again.
  const onToggle = useCallback(
    (code: string) => onChange?.((before) => toggled(forest, before, code)),
    [forest, onChange],
  )
  const onFold = useCallback((code: string) => setFolded((before) => flipped(before, code)), [])
  const found = foundLines(forest, words)
  const shown = forest.lines.filter((line) =>
    found === null ? !isHidden(line, forest.byCode, folded) : found.has(line.code),
  )
  const groups = forest.lines.filter((line) => line.children.length > 0).map((line) => line.code)
  const count = forest.lines.filter((line) => held.has(line.code)).length
  return (
    <div className="tree">
      <div className="tree-tools">
        <input
          type="search"
          className="text-input org-search"
          value={words}
          placeholder={t('搜索权限名称或编码')}
          aria-label={t('搜索权限名称或编码')}
          onChange={(event) => setWords(event.target.value)}
        />
        <output>{t('已选 {{chosen}} / {{all}} 项', { chosen: count, all: forest.lines.length })}</output>
        <Button look="quiet" onClick={() => setFolded(folded.size > 0 ? new Set() : new Set(groups))}>
          {folded.size > 0 ? t('全部展开') : t('全部收起')}
        </Button>
      </div>
      {shown.length === 0 ? (
        <Empty title={t('没有匹配的权限')} />
      ) : (
        <ul className="tree-lines">
          {shown.map((line) => (
            <Line
              key={line.code}
              line={line}
              tick={ticks.get(line.code) ?? 'off'}
              isFolded={found === null && folded.has(line.code)}
              isFixed={onChange === undefined || !line.grantable}
              isRefused={onChange !== undefined && !line.grantable}
              onToggle={onToggle}
              onFold={onFold}
            />
          ))}
        </ul>
      )}
    </div>
  )
}

interface LineProps {
  readonly line: TreeLine
  readonly tick: Tick
  readonly isFolded: boolean
  readonly isFixed: boolean
  readonly isRefused: boolean
  readonly onToggle: (code: string) => void
  readonly onFold: (code: string) => void
}

const Line = memo(function Line({ line, tick, isFolded, isFixed, isRefused, onToggle, onFold }: LineProps) {
  const { code, title, depth, children } = line
  return (
    <li data-depth={depth} data-refused={isRefused}>
      {children.length > 0 ? (
        <button
          type="button"
          className="tree-fold"
          tabIndex={-1}
          aria-expanded={!isFolded}
          aria-label={isFolded ? t('展开“{{name}}”', { name: t(title) }) : t('收起“{{name}}”', { name: t(title) })}
          onClick={() => onFold(code)}
        >
          {isFolded ? '▸' : '▾'}
        </button>
      ) : (
        <span className="tree-fold" />
      )}
      <label title={isRefused ? t('您没有此权限，不能授予他人') : undefined}>
        <input
          type="checkbox"
          data-code={code}
          onKeyDown={(event) => onKey(event, { line, isFolded, onFold })}
          checked={tick === 'on'}
          aria-disabled={isFixed}
          ref={(box) => {
            if (box !== null) box.indeterminate = tick === 'mixed'
          }}
          onChange={() => {
            if (!isFixed) onToggle(code)
          }}
        />
        <span>{t(title)}</span>
        <code>{code}</code>
        {isRefused && <small>{t('您没有此权限')}</small>}
      </label>
    </li>
  )
})

interface KeyContext {
  readonly line: TreeLine
  readonly isFolded: boolean
  readonly onFold: (code: string) => void
}

function onKey(event: KeyboardEvent<HTMLInputElement>, { line, isFolded, onFold }: KeyContext): void {
  const boxes = [...(event.currentTarget.closest('ul')?.querySelectorAll<HTMLInputElement>('input') ?? [])]
  const at = boxes.indexOf(event.currentTarget)
  const hasBelow = line.children.length > 0
  const acts: Readonly<Record<string, () => void>> = {
    ArrowDown: () => boxes[at + 1]?.focus(),
    ArrowUp: () => boxes[at - 1]?.focus(),
    Home: () => boxes[0]?.focus(),
    End: () => boxes.at(-1)?.focus(),
    ArrowRight: () => {
      if (isFolded) onFold(line.code)
      else if (hasBelow) boxes[at + 1]?.focus()
    },
    ArrowLeft: () => {
      if (hasBelow && !isFolded) onFold(line.code)
      else boxes.find((box) => box.dataset['code'] === line.parent)?.focus()
    },
  }
  const act = acts[event.key]
  if (act === undefined) return
  event.preventDefault()
  act()
}

function isHidden(line: TreeLine, byCode: ReadonlyMap<string, TreeLine>, folded: ReadonlySet<string>): boolean {
  const parent = line.parent === null ? undefined : byCode.get(line.parent)
  if (parent === undefined) return false
  return folded.has(parent.code) || isHidden(parent, byCode, folded)
}

function flipped(before: ReadonlySet<string>, code: string): ReadonlySet<string> {
  const next = new Set(before)
  if (!next.delete(code)) next.add(code)
  return next
}
