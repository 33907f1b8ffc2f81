import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode, type RefObject } from 'react'
import { useSearchParams } from 'react-router'
import type { Fence, FenceKind } from '@saddle/contract/geography/fences.ts'
import type { ManagedFence } from '@saddle/contract/geography/manage.ts'
import type { Datum } from '@saddle/geo/gcj02.ts'
import { t } from '#kit/i18n/index.ts'
import { ListFilters } from '#kit/list/filters/FilterBar.tsx'
import { useList } from '#kit/list/useList.ts'
import FocusMap from '#kit/map/FocusMap.tsx'
import type { MapBounds } from '#kit/map/view.ts'
import { usePhone } from '#kit/list/usePhone.ts'
import { Button } from '#kit/plain/Button.tsx'
import { ClusterPanel } from '../import/ClusterPanel.tsx'
import { ImportPanel } from '../import/ImportPanel.tsx'
import { FenceEditor, type Task } from '../editor/FenceEditor.tsx'
import { BrowsePanel, BrowseShapes } from './BrowsePanel.tsx'
import { ExportMenu } from './ExportMenu.tsx'
import { fences, filtersOf, type FenceList } from './fenceList.ts'
import { FenceTable } from './FenceTable.tsx'
import { RoadSearch } from './RoadSearch.tsx'
import { Side } from './Side.tsx'
import { useDrawn, useParked } from './useDrawn.ts'
import { boundsOf, kindWord, titleOf } from './words.ts'
import './fences.css'

interface Props {
  readonly kind: FenceKind
  readonly datum: Datum
}

type Mode =
  | { readonly at: 'browse' }
  | { readonly at: 'import' }
  | { readonly at: 'clusters' }
  | (Task & { readonly at: 'edit' })
const browse: Mode = { at: 'browse' }

/** Fences of one kind on the map: search, drawing, import, and all versions. */
export function FencePage({ kind, datum }: Props): ReactNode {
  const fixed = useMemo(() => ({ kind }), [kind])
  const list = useList(fences, { fixed })
  const filters = useMemo(() => filtersOf(kind), [kind])
  const [mode, setMode] = useState<Mode>(browse)
  const [selectedId, select] = useSelected()
  // A small screen has no room for both: it begins with what can be read, unless the address names a fence.
  const isPhone = usePhone()
  const [view, setView] = useState<'map' | 'list'>(isPhone && selectedId === null ? 'list' : 'map')
  const { focus, asked, setFocus } = useAsked()
  const [side, setSide] = useState<HTMLElement | null>(null)
  const [seen, setSeen] = useState<MapBounds | null>(null)
  const { drawn, isCut } = useDrawn(seen)
  const start = useStart(drawn, selectedId)
  const map = useRef<HTMLDivElement>(null)
  const hasMap = useAfterPaint(list.rows !== undefined || list.error !== null)
  // Beside the list and after it; removed ones hold nothing.
  const isFilled = kind === 'parking' && mode.at === 'browse' && hasMap && list.filter.removed !== true
  const parked = useParked(list.rows, isFilled)
  const show = (fence: ManagedFence): void => {
    setView('map')
    select(fence.lineId)
    setFocus(boundsOf(fence))
    bringUp(map)
  }
  useEffect(() => {
    if (mode.at !== 'browse') bringUp(map)
  }, [mode.at])
  const done = (fence: Fence | null): void => {
    setMode(browse)
    if (fence !== null) select(fence.lineId)
  }
  const common = { kind, datum, drawn, onFocus: setFocus, onDone: done }
  return (
    <div className="page fences" data-view={mode.at === 'browse' ? view : 'map'} data-task={mode.at}>
      <header className="page-head">
        <h1>{titleOf(kind, datum)}</h1>
        {mode.at === 'browse' && <Acts kind={kind} view={view} list={list} onView={setView} onMode={setMode} />}
      </header>
      {mode.at === 'browse' && <DatumNote datum={datum} />}
      {mode.at === 'browse' && <ListFilters list={list} filters={filters} />}
      {mode.at === 'browse' && view === 'list' ? (
        <FenceTable
          kind={kind}
          list={list}
          onShow={show}
          onEdit={(fence) => setMode({ at: 'edit', kind: 'change', fence })}
        />
      ) : (
        <div className="fences-body">
          <aside ref={setSide} className="page-card fences-side" aria-label={kindWord(kind)}>
            {mode.at === 'browse' && (
              <BrowsePanel
                list={list}
                datum={datum}
                selectedId={selectedId}
                onShow={show}
                onSelect={select}
                onEdit={(fence) => setMode({ at: 'edit', kind: 'change', fence })}
              />
            )}
          </aside>
          <div ref={map} className="page-card fences-map">
            {isCut && <output className="fences-cut">{t('此处围栏太多，只画出一部分；放大地图可看到全部')}</output>}
            {/* Fences that come late must not move the map under a hand that draws. */}
            {hasMap && (
              <FocusMap
                label={t('围栏地图')}
                focus={focus ?? (mode.at === 'browse' ? start : null)}
                asked={asked}
                onView={setSeen}
              >
                <RoadSearch onFound={setFocus} />
                <Side host={side}>
                  {mode.at === 'browse' && (
                    <BrowseShapes kind={kind} drawn={drawn} parked={parked} selectedId={selectedId} onSelect={select} />
                  )}
                  {mode.at === 'edit' && <FenceEditor {...common} task={mode} />}
                  {mode.at === 'import' && <ImportPanel {...common} />}
                  {mode.at === 'clusters' && <ClusterPanel {...common} />}
                </Side>
              </FocusMap>
            )}
          </div>
        </div>
      )}
    </div>
  )
}

/** What the page of a provider's datum has that the other page has not. */
function DatumNote({ datum }: Pick<Props, 'datum'>) {
  if (datum !== 'gcj02') return null
  return (
    <p className="fences-note">
      {t('与“停车点围栏”是同一批停车点；在这里填写和显示的坐标按腾讯地图的坐标系（GCJ-02）。')}
    </p>
  )
}

/** What a person asked to be shown last. */
function useAsked() {
  const [{ focus, asked }, set] = useState<{ focus: MapBounds | null; asked: number }>({ focus: null, asked: 0 })
  const setFocus = useCallback((next: MapBounds) => set((old) => ({ focus: next, asked: old.asked + 1 })), [])
  return { focus, asked, setFocus }
}

/** A map takes the processor for half a second when it is made: the list that came first is drawn first. */
function useAfterPaint(isReady: boolean): boolean {
  const [isPainted, setPainted] = useState(false)
  useEffect(() => {
    if (!isReady) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const frame = requestAnimationFrame(() => (timer = setTimeout(() => setPainted(true))))
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [isReady])
  return isPainted
}

/** Where a narrow screen has the map above the rest, it is out of sight when something is to be done on it. */
function bringUp(map: RefObject<HTMLElement | null>): void {
  if (matchMedia('(width < 900px)').matches) map.current?.scrollIntoView({ block: 'start', behavior: 'smooth' })
}

/** What the map looks at first, once fences are known: the one that the address names, else the service areas. */
function useStart(drawn: readonly Fence[], selectedId: number | null): MapBounds | null {
  const [start, setStart] = useState<MapBounds | null>(null)
  const named = drawn.find(({ lineId }) => lineId === selectedId)
  const areas = named === undefined ? drawn.filter(({ kind }) => kind === 'service_area') : [named]
  if (start === null && areas.length > 0) {
    const boxes = areas.map(boundsOf)
    setStart({
      west: Math.min(...boxes.map(({ west }) => west)),
      south: Math.min(...boxes.map(({ south }) => south)),
      east: Math.max(...boxes.map(({ east }) => east)),
      north: Math.max(...boxes.map(({ north }) => north)),
    })
  }
  return start
}

/** The address names the fence that is looked at, so that a link opens it. */
function useSelected(): readonly [number | null, (lineId: number | null) => void] {
  const [params, setParams] = useSearchParams()
  const text = params.get('fence')
  const id = text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null
  const select = (lineId: number | null): void => {
    setParams(
      (old) => {
        const next = new URLSearchParams(old)
        if (lineId === null) next.delete('fence')
        else next.set('fence', String(lineId))
        return next
      },
      { replace: true },
    )
  }
  return [id, select]
}

interface ActsProps {
  readonly kind: FenceKind
  readonly view: 'map' | 'list'
  readonly list: FenceList
  readonly onView: (view: 'map' | 'list') => void
  readonly onMode: (mode: Mode) => void
}

function Acts({ kind, view, list, onView, onMode }: ActsProps): ReactNode {
  const isPhone = usePhone()
  const further = [
    ...(kind === 'parking'
      ? [{ key: 'clusters', label: t('从还车聚集处新增'), run: () => onMode({ at: 'clusters' }) }]
      : []),
    ...(kind === 'service_area' ? [] : [{ key: 'import', label: t('批量导入'), run: () => onMode({ at: 'import' }) }]),
  ]
  return (
    <div className="fences-acts">
      <Button onClick={() => onView(view === 'map' ? 'list' : 'map')}>
        {view === 'map' ? t('看列表') : t('看地图')}
      </Button>
      {!isPhone && <ExportMenu list={list} folded={null} />}
      {!isPhone &&
        further.map(({ key, label, run }) => (
          <Button key={key} onClick={run}>
            {label}
          </Button>
        ))}
      {kind !== 'service_area' && (
        <Button look="primary" onClick={() => onMode({ at: 'edit', kind: 'new' })}>
          {kind === 'parking' ? t('新增停车点') : t('新增禁停区')}
        </Button>
      )}
      {isPhone && <ExportMenu list={list} folded={further} />}
    </div>
  )
}
