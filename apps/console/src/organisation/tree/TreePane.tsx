import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react'
import type { AgentNode } from '@saddle/contract/organisation/companies.ts'
import { loadChunk } from '#kit/chunk.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { AgentTree } from './AgentTree.tsx'
import type { TreeRow } from './tree.ts'
import './tree-pane.css'

// Only a narrow screen has use for it.
const Drawer = lazy(() => loadChunk(() => import('antd/es/drawer')))

interface Props {
  readonly label: string
  readonly nodes: readonly AgentNode[] | undefined
  readonly error: unknown
  readonly onRetry: () => void
  readonly selected: string | null
  /** What is chosen, for the button that opens the tree on a narrow screen. */
  readonly selectedLabel: string
  readonly onSelect: (row: TreeRow) => void
  readonly foot?: ReactNode
}

/** Narrower than this the tree is a drawer. */
const roomForTree = '(min-width: 900px)'

/** The tree beside the page; on a narrow screen a button that opens it. */
export function TreePane(props: Props): ReactNode {
  const { label, selectedLabel, onSelect } = props
  const hasRoom = useMedia(roomForTree)
  const [open, setOpen] = useState(false)
  if (hasRoom) {
    return (
      <aside className="page-card tree-pane" aria-label={label}>
        <Content {...props} />
      </aside>
    )
  }
  return (
    <>
      <div className="tree-opener">
        <Button wide aria-haspopup="dialog" onClick={() => setOpen(true)}>
          <span aria-hidden="true">☰</span> {selectedLabel}
        </Button>
      </div>
      {open && (
        <Suspense fallback={null}>
          <Drawer
            open
            placement="left"
            size={300}
            title={label}
            classNames={{ body: 'tree-drawer' }}
            onClose={() => setOpen(false)}
          >
            <Content
              {...props}
              onSelect={(row) => {
                setOpen(false)
                onSelect(row)
              }}
            />
          </Drawer>
        </Suspense>
      )}
    </>
  )
}

function Content({ label, nodes, error, onRetry, selected, onSelect, foot }: Props) {
  if (nodes === undefined) return error === null ? <Loading /> : <ErrorState error={error} onRetry={onRetry} />
  return (
    <>
      <AgentTree label={label} nodes={nodes} selected={selected} onSelect={onSelect} />
      {foot !== undefined && <div className="tree-foot">{foot}</div>}
    </>
  )
}

function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => globalThis.matchMedia(query).matches)
  useEffect(() => {
    const media = globalThis.matchMedia(query)
    const look = (): void => setMatches(media.matches)
    look()
    media.addEventListener('change', look)
    return () => media.removeEventListener('change', look)
  }, [query])
  return matches
}
