import { useEffect, type ReactNode } from 'react'
import type { Fence } from '@saddle/contract/geography/fences.ts'
import type { ManagedFence } from '@saddle/contract/geography/manage.ts'
import type { Datum } from '@saddle/geo/gcj02.ts'
import { t } from '#kit/i18n/index.ts'
import { Pager } from '#kit/list/Pager.tsx'
import { FenceShapes } from '#kit/map/FenceShapes.tsx'
import { useTheme } from '#kit/theme/settings.ts'
import { Empty, ErrorState, Loading } from '#kit/ui/states.tsx'
import { FenceCard } from './FenceCard.tsx'
import { Standing } from './FenceTable.tsx'
import { Beside } from './Side.tsx'
import { useFenceList, type Question } from './useFenceList.ts'
import { hoursWord, sizeWord } from './words.ts'

interface Props {
  readonly question: Question
  readonly datum: Datum
  readonly drawn: readonly Fence[]
  readonly selectedId: number | null
  readonly onShow: (fence: ManagedFence) => void
  readonly onSelect: (lineId: number | null) => void
  readonly onEdit: (fence: Fence) => void
}

/** The fences that were asked for beside the map, and all that is in force on it. */
export function BrowsePanel({ question, datum, drawn, selectedId, onShow, onSelect, onEdit }: Props): ReactNode {
  const theme = useTheme().appearance
  const fences = useFenceList(question, 30)
  const pick = (lineId: number): void => {
    const fence = drawn.find((one) => one.lineId === lineId)
    if (fence?.kind === question.kind) onSelect(lineId)
  }
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
      <FenceShapes list={drawn} theme={theme} selectedId={selectedId} onPick={pick} />
      <Beside>
        {selectedId !== null ? (
          <FenceCard
            key={selectedId}
            lineId={selectedId}
            datum={datum}
            listed={fences.list?.find(({ lineId }) => lineId === selectedId)}
            onEdit={onEdit}
            onClose={() => onSelect(null)}
          />
        ) : (
          <>
            <List fences={fences} onShow={onShow} />
            <Pager
              page={fences.page - 1}
              hasNext={fences.hasNext}
              count={fences.count}
              busy={fences.isLoading}
              onPrevious={() => fences.turn(fences.page - 1)}
              onNext={() => fences.turn(fences.page + 1)}
            />
          </>
        )}
      </Beside>
    </>
  )
}

function List({ fences, onShow }: { fences: ReturnType<typeof useFenceList>; onShow: Props['onShow'] }): ReactNode {
  const { list, error, retry } = fences
  if (error !== null && list === undefined) return <ErrorState error={error} onRetry={retry} />
  if (list === undefined) return <Loading />
  if (list.length === 0) return <Empty title={t('没有符合条件的围栏')} />
  return (
    <ul className="fences-list" aria-busy={fences.isLoading}>
      {list.map((fence) => (
        <li key={fence.lineId}>
          <button type="button" onClick={() => onShow(fence)}>
            <strong>{fence.name}</strong>
            <span>{fence.kind === 'service_area' ? sizeWord(fence.areaM2) : fence.areaName}</span>
            <small>
              {fence.kind === 'parking' && (
                <>
                  {t('车辆')} <Standing fence={fence} />/{fence.capacity ?? '--'} · {hoursWord(fence)} ·{' '}
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
