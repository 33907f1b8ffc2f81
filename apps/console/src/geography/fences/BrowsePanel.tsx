import { useEffect, type ReactNode } from 'react'
import type { Fence, FenceKind } from '@saddle/contract/geography/fences.ts'
import type { ManagedFence } from '@saddle/contract/geography/manage.ts'
import type { Datum } from '@saddle/geo/gcj02.ts'
import { t } from '#kit/i18n/index.ts'
import { Pager } from '#kit/list/Pager.tsx'
import { FenceShapes } from '#kit/map/FenceShapes.tsx'
import { useTheme } from '#kit/theme/settings.ts'
import { RowBones } from '#kit/ui/Bones.tsx'
import { Empty, ErrorState } from '#kit/ui/states.tsx'
import { FenceCard } from './FenceCard.tsx'
import type { FenceList } from './fenceList.ts'
import { Standing } from './FenceTable.tsx'
import { hoursWord, sizeWord } from './words.ts'

interface ShapesProps {
  readonly kind: FenceKind
  readonly drawn: readonly Fence[]
  /** Vehicles in parking places, by the number of the line. */
  readonly parked: ReadonlyMap<number, number> | null
  readonly selectedId: number | null
  readonly onSelect: (lineId: number | null) => void
}

interface Props {
  readonly list: FenceList
  readonly datum: Datum
  readonly selectedId: number | null
  readonly onShow: (fence: ManagedFence) => void
  readonly onSelect: (lineId: number | null) => void
  readonly onEdit: (fence: Fence) => void
}

/** All that is in force, on the map. */
export function BrowseShapes({ kind, drawn, parked, selectedId, onSelect }: ShapesProps): ReactNode {
  const theme = useTheme().appearance
  const pick = (lineId: number): void => {
    const fence = drawn.find((one) => one.lineId === lineId)
    if (fence?.kind === kind) onSelect(lineId)
  }
  return <FenceShapes list={drawn} theme={theme} selectedId={selectedId} parked={parked} onPick={pick} />
}

/** The fences that were asked for, beside the map and there before it. */
export function BrowsePanel({ list, datum, selectedId, onShow, onSelect, onEdit }: Props): ReactNode {
  useEffect(() => {
    const close = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') onSelect(null)
    }
    if (selectedId === null) return undefined
    addEventListener('keydown', close)
    return () => removeEventListener('keydown', close)
  })
  return (
    <>
      {selectedId !== null ? (
        <FenceCard
          key={selectedId}
          lineId={selectedId}
          datum={datum}
          listed={list.rows?.find(({ lineId }) => lineId === selectedId)}
          onEdit={onEdit}
          onClose={() => onSelect(null)}
        />
      ) : (
        <>
          <Rows list={list} onShow={onShow} />
          <Pager
            page={list.page}
            hasNext={list.hasNext}
            count={list.total?.count ?? null}
            isCountCut={list.total?.isCut === true}
            busy={list.isStale}
            onPrevious={list.previous}
            onNext={list.next}
          />
        </>
      )}
    </>
  )
}

function Rows({ list, onShow }: Pick<Props, 'list' | 'onShow'>): ReactNode {
  const { rows, error, retry } = list
  if (error !== null && rows === undefined) return <ErrorState error={error} onRetry={retry} />
  if (rows === undefined) return <RowBones />
  if (rows.length === 0) return <Empty title={t('没有符合条件的围栏')} />
  return (
    <ul className="fences-list" aria-busy={list.isStale}>
      {rows.map((fence) => (
        <li key={fence.lineId}>
          <button type="button" onClick={() => onShow(fence)}>
            <strong>{fence.name}</strong>
            <span>{fence.kind === 'service_area' ? sizeWord(fence.areaM2) : fence.areaName}</span>
            <small>
              {fence.kind === 'parking' && (
                <>
                  {t('停放')} <Standing fence={fence} of={fence.capacity ?? '--'} /> ·{' '}
                  {fence.hours !== null && `${hoursWord(fence)} · `}
                </>
              )}
              {t('近 7 天还车 {{count}}', { count: fence.returns })}
            </small>
          </button>
        </li>
      ))}
    </ul>
  )
}
