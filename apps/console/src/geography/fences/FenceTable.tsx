import { useCallback, useMemo, type ReactNode } from 'react'
import type { FenceKind } from '@saddle/contract/geography/fences.ts'
import type { ManagedFence } from '@saddle/contract/geography/manage.ts'
import { t } from '#kit/i18n/index.ts'
import { ListCard } from '#kit/list/ListCard.tsx'
import { Moment, type ColumnSpec } from '#kit/list/table/columns.tsx'
import { Button } from '#kit/plain/Button.tsx'
import type { FenceList } from './fenceList.ts'
import { useRemoval } from './useRemoval.tsx'
import { hoursWord, kindWord, sizeWord } from './words.ts'

interface Props {
  readonly kind: FenceKind
  readonly list: FenceList
  readonly onShow: (fence: ManagedFence) => void
  readonly onEdit: (fence: ManagedFence) => void
}

/** The same fences as rows, to be compared, sorted and removed together. */
export function FenceTable({ kind, list, onShow, onEdit }: Props): ReactNode {
  const removal = useRemoval(() => list.choose([]))
  const isRemoved = list.filter.removed === true
  const edit = useCallback((fence: ManagedFence) => onEdit(fence), [onEdit])
  const columns = useMemo(() => columnsOf({ kind, isRemoved, onEdit: edit }), [kind, isRemoved, edit])
  return (
    <>
      <ListCard
        list={list}
        label={kindWord(kind)}
        columns={columns}
        rowName={({ name }) => name}
        empty={t('没有围栏')}
        selectable={kind !== 'service_area' && !isRemoved}
        renderTools={(chosen) => (
          <Button onClick={() => removal.ask(chosen)}>{t('删除 {{count}} 个围栏', { count: chosen.length })}</Button>
        )}
        onOpen={onShow}
      />
      {removal.dialog}
    </>
  )
}

interface Shown {
  readonly kind: FenceKind
  readonly isRemoved: boolean
  readonly onEdit: (fence: ManagedFence) => void
}

function columnsOf({ kind, isRemoved, onEdit }: Shown): readonly ColumnSpec<ManagedFence>[] {
  const isParking = kind === 'parking'
  const columns: (ColumnSpec<ManagedFence> | false)[] = [
    { key: 'name', card: 'head' },
    kind !== 'service_area' && 'areaName',
    isParking && 'capacity',
    kind !== 'service_area' && { key: 'standing', render: (fence) => <Standing fence={fence} /> },
    'returns',
    isParking && { key: 'hours', render: hoursWord },
    { key: 'areaM2', sort: 'area', render: ({ areaM2 }) => sizeWord(areaM2) },
    { key: 'version', card: 'none', render: ({ version }) => `v${version}` },
    {
      key: 'validFrom',
      sort: 'changed',
      ...(isRemoved && { title: t('删除时间') }),
      render: ({ validTo, validFrom }) => <Moment at={validTo ?? validFrom} />,
    },
    {
      key: 'authorName',
      title: isRemoved ? t('删除人') : t('修改人'),
      card: 'none',
      render: ({ removedBy, authorName }) => (removedBy ?? authorName) || '--',
    },
    !isRemoved && {
      key: 'edit',
      title: t('操作'),
      card: 'none',
      render: (fence) => (
        <Button look="quiet" onClick={() => onEdit(fence)}>
          {t('编辑')}
        </Button>
      ),
    },
  ]
  return columns.filter((column) => column !== false)
}

interface StandingProps {
  readonly fence: ManagedFence
  /** The capacity, where no column of its own says it. */
  readonly of?: number | string
}

/** How many vehicles stand there, and whether it is full. */
export function Standing({ fence, of }: StandingProps): ReactNode {
  const { standing, capacity } = fence
  if (standing === null) return '--'
  const isFull = capacity !== null && standing >= capacity
  return (
    <span data-full={isFull} className="fences-standing">
      {of === undefined ? standing : `${standing}/${of}`}
      {isFull && <small>{t('满')}</small>}
    </span>
  )
}
