import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { companyEndpoints, type AgentNode } from '@saddle/contract/organisation/companies.ts'
import { type AreaFilter, type AreaRow, areaEndpoints } from '@saddle/contract/organisation/areas.ts'
import { loadChunk } from '#kit/chunk.tsx'
import { t } from '#kit/i18n/index.ts'
import type { MapBounds } from '#kit/map/view.ts'
import { useList, type List } from '#kit/list/useList.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Loading } from '#kit/ui/states.tsx'
import { boundsOf, cornersOf, draftIn } from '#kit/map/draw/corners.ts'
import { TreePane } from '../tree/TreePane.tsx'
import { areaKey, companyKey } from '../tree/tree.ts'
import { useCompanyParam, type CompanyParam } from '../parts/useCompanyParam.ts'
import type { Task } from './AreaEditor.tsx'
import { AreaList, areas } from './areaList.tsx'
import './area.css'

const AreaMap = lazy(() => loadChunk(() => import('./AreaMap.tsx')))
const AreaSwitch = lazy(() => loadChunk(async () => ({ default: (await import('./areaActions.tsx')).AreaSwitch })))
const AreaRemoval = lazy(() => loadChunk(async () => ({ default: (await import('./areaActions.tsx')).AreaRemoval })))
const AreaEditor = lazy(() => loadChunk(() => import('./AreaEditor.tsx')))

type Act = { readonly kind: 'switch' | 'remove'; readonly area: AreaRow }

/** Service areas of all companies below: the tree, the list by page, and the boundaries on the map. */
export default function AreaPage(): ReactNode {
  const [where, go] = useCompanyParam()
  const tree = useEndpoint(companyEndpoints.agentTree, { withAreas: true })
  const nodes = tree.data?.data.list
  const company = nodes?.find(({ id }) => id === where.agentId)
  const list = useList(areas, where.agentId === null ? {} : { fixed: { agentId: where.agentId } })
  const selected = useSelected(where.areaId, list.rows)
  const [task, setTask] = useState<Task | null>(null)
  const [act, setAct] = useState<Act | null>(null)
  const [view, setView] = useState<MapBounds | null>(null)
  const open = useCallback((area: AreaRow) => go({ agentId: area.agentId, areaId: area.id }), [go])
  const shown = useMemo(() => withSelected(list.rows ?? [], selected), [list.rows, selected])
  const begin = (owner: AgentNode): void => {
    if (view !== null) setTask({ kind: 'new', agentId: owner.id, company: owner.company, draft: draftIn(view) })
  }
  return (
    <div className="page">
      <header className="page-head">
        <h1>{t('服务区管理')}</h1>
        {task === null && company !== undefined && (
          <Button look="primary" disabled={view === null} onClick={() => begin(company)}>
            {t('新增服务区')}
          </Button>
        )}
        {task === null && company === undefined && (
          <span className="area-hint">{t('选一家加盟商，即可新增服务区')}</span>
        )}
      </header>
      <div className="tree-page">
        <TreePane
          label={t('加盟商与服务区')}
          nodes={nodes}
          error={tree.error}
          onRetry={() => void tree.refetch()}
          selected={keyOf(where)}
          selectedLabel={selected?.name ?? company?.company ?? t('全部加盟商')}
          onSelect={(row) => {
            setTask(null)
            go({ agentId: row.agentId, areaId: row.kind === 'area' ? row.id : null })
          }}
          {...(where.agentId !== null && {
            foot: (
              <Button look="quiet" wide onClick={() => go({ agentId: null, areaId: null })}>
                {t('显示全部加盟商')}
              </Button>
            ),
          })}
        />
        <div className="tree-main">
          {task === null ? (
            <Browse {...{ list, shown, selected, where, open, setView, setTask, setAct }} />
          ) : (
            <Suspense fallback={<Loading />}>
              <AreaEditor
                key={task.kind === 'new' ? 'new' : task.area.id}
                task={task}
                others={task.kind === 'new' ? shown : shown.filter(({ id }) => id !== task.area.id)}
                onCancel={() => setTask(null)}
                onDone={(area) => {
                  setTask(null)
                  open(area)
                }}
              />
            </Suspense>
          )}
        </div>
      </div>
      <Suspense fallback={null}>
        {act?.kind === 'switch' && <AreaSwitch area={act.area} onClose={() => setAct(null)} />}
        {act?.kind === 'remove' && (
          <AreaRemoval
            area={act.area}
            onClose={() => setAct(null)}
            onRemoved={() => go({ agentId: act.area.agentId, areaId: null })}
          />
        )}
      </Suspense>
    </div>
  )
}

interface BrowseProps {
  readonly list: List<AreaRow, AreaFilter>
  /** What the map shows: the listed areas and the selected one. */
  readonly shown: readonly AreaRow[]
  readonly selected: AreaRow | undefined
  readonly where: CompanyParam
  readonly open: (area: AreaRow) => void
  readonly setView: (bounds: MapBounds) => void
  readonly setTask: (task: Task) => void
  readonly setAct: (act: Act) => void
}

/** The boundaries on the map, and their list. */
function Browse({ list, shown, selected, where, open, setView, setTask, setAct }: BrowseProps) {
  const isPainted = usePainted()
  const map = useRef<HTMLElement>(null)
  const seenId = useRef(where.areaId)
  useEffect(() => {
    if (seenId.current === where.areaId) return
    seenId.current = where.areaId
    // On a narrow screen the map comes above the list with the area that was chosen there.
    if (where.areaId !== null && matchMedia('(width < 900px)').matches) map.current?.scrollIntoView({ block: 'start' })
  }, [where.areaId])
  const onAct = useCallback(
    (kind: 'edit' | 'switch' | 'remove', area: AreaRow) => {
      if (kind !== 'edit') return setAct({ kind, area })
      open(area)
      setTask({ kind: 'change', area })
    },
    [open, setAct, setTask],
  )
  return (
    <>
      <section ref={map} className="page-card area-map" data-chosen={where.areaId !== null} aria-label={t('边界')}>
        <Suspense fallback={<Loading />}>
          {isPainted && (
            <AreaMap
              areas={shown}
              selected={selected}
              focus={focusOf(selected, shown)}
              onPick={open}
              onView={setView}
            />
          )}
        </Suspense>
      </section>
      <AreaList list={list} selectedId={where.areaId} onOpen={open} onAct={onAct} />
    </>
  )
}

/** The area that the address names: of the list, or read alone where the list does not show it. */
function useSelected(areaId: number | null, listed: readonly AreaRow[] | undefined): AreaRow | undefined {
  const found = listed?.find(({ id }) => id === areaId)
  const single = useEndpoint(
    areaEndpoints.areasOfAgent,
    { filter: { areaId: areaId ?? 1 } },
    { enabled: areaId !== null && listed !== undefined && found === undefined },
  )
  return areaId === null ? undefined : (found ?? single.data?.data.list[0])
}

/** True from the first picture on: opening a map holds the page up, and the tree need not wait for it. */
function usePainted(): boolean {
  const [isPainted, setPainted] = useState(false)
  useEffect(() => {
    const frame = requestAnimationFrame(() => setTimeout(() => setPainted(true), 0))
    return () => cancelAnimationFrame(frame)
  }, [])
  return isPainted
}

function keyOf({ agentId, areaId }: CompanyParam): string | null {
  if (areaId !== null) return areaKey(areaId)
  return agentId === null ? null : companyKey(agentId)
}

function withSelected(list: readonly AreaRow[], selected: AreaRow | undefined): readonly AreaRow[] {
  return selected === undefined || list.some(({ id }) => id === selected.id) ? list : [...list, selected]
}

/** The chosen area, else all that are listed. */
function focusOf(selected: AreaRow | undefined, list: readonly AreaRow[]): MapBounds | null {
  const corners = selected === undefined ? list.flatMap(({ ring }) => ring) : cornersOf(selected.ring)
  return corners.length === 0 ? null : boundsOf(corners)
}
