import type { ReactNode } from 'react'
import type { FenceKind } from '@saddle/contract/geography/fences.ts'
import { t } from '#kit/i18n/index.ts'
import { changeFilter } from '#kit/list/addressFilter.ts'
import { Areas } from '#kit/list/Choices.tsx'

/** As the address keeps it. */
type Filter = {
  readonly keyword?: string | undefined
  readonly areaIds?: number[] | undefined
  readonly removed?: boolean | undefined
  readonly full?: boolean | undefined
}
interface Props {
  readonly kind: FenceKind
  readonly filter: Filter
  readonly onFilter: (filter: Filter) => void
}

export function FenceFilterBar({ kind, filter, onFilter }: Props): ReactNode {
  const set = (part: Partial<Record<keyof Filter, unknown>>) => onFilter(changeFilter(filter, part))
  return (
    <search className="filter-bar" aria-label={t('筛选条件')}>
      <div className="filter-row">
        <input
          type="search"
          className="filter-keyword"
          data-search
          aria-label={t('围栏名称')}
          placeholder={t('围栏名称')}
          maxLength={80}
          value={filter.keyword ?? ''}
          onChange={(event) => set({ keyword: event.target.value === '' ? undefined : event.target.value })}
        />
        <Areas value={filter.areaIds} onChange={(areaIds) => set({ areaIds: areaIds && [...areaIds] })} />
        {kind === 'parking' && (
          <label className="fences-check">
            <input
              type="checkbox"
              checked={filter.full === true}
              onChange={(event) => set({ full: event.target.checked ? true : undefined })}
            />
            {t('只看停满的')}
          </label>
        )}
        {kind !== 'service_area' && (
          <label className="fences-check">
            <input
              type="checkbox"
              checked={filter.removed === true}
              onChange={(event) => set({ removed: event.target.checked ? true : undefined })}
            />
            {t('只看已删除的')}
          </label>
        )}
      </div>
    </search>
  )
}
