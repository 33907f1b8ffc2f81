import { useState, type ReactNode } from 'react'
import type { ManagedFence } from '@saddle/contract/geography/manage.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DataTable, type Column } from '#kit/list/DataTable.tsx'
import { Pager } from '#kit/list/Pager.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { Empty } from '#kit/ui/states.tsx'
import { useRemoval } from './useRemoval.tsx'
import { useFenceList, type Question } from './useFenceList.ts'
import { hoursWord, kindWord, sizeWord } from './words.ts'

interface Props {
  readonly question: Question
  readonly onShow: (fence: ManagedFence) => void
  readonly onEdit: (fence: ManagedFence) => void
}

/** The same fences as rows, to be compared, sorted and removed together. */
export function FenceTable({ question, onShow, onEdit }: Props): ReactNode {
  const fences = useFenceList(question, 50)
  const [selected, setSelected] = useState<readonly number[]>([])
  const removal = useRemoval(() => setSelected([]))
  const chosen = fences.list?.filter(({ lineId }) => selected.includes(lineId)) ?? []
  const isRemovable = question.kind !== 'service_area' && question.removed !== true
  return (
    <section className="page-card">
      {chosen.length > 0 && (
        <div className="fences-chosen">
          <span>{t('已选 {{count}} 个', { count: chosen.length })}</span>
          <Button onClick={() => removal.ask(chosen)}>{t('删除 {{count}} 个围栏', { count: chosen.length })}</Button>
        </div>
      )}
      <DataTable<ManagedFence>
        label={kindWord(question.kind)}
        columns={columnsOf(question, { onShow, onEdit })}
        rows={fences.list}
        rowKey={(fence) => fence.lineId}
        loading={fences.isLoading}
        error={fences.error}
        onRetry={fences.retry}
        {...(fences.sort !== null && { sort: fences.sort })}
        onSort={fences.order}
        {...(isRemovable && { selected, onSelect: (keys) => setSelected(keys.map(Number)) })}
        onOpen={onShow}
        cardHead={headOf(onShow)}
        empty={<Empty title={t('没有符合条件的围栏')} />}
      />
      <Pager
        page={fences.page - 1}
        hasNext={fences.hasNext}
        count={fences.count}
        busy={fences.isLoading}
        onPrevious={() => fences.turn(fences.page - 1)}
        onNext={() => fences.turn(fences.page + 1)}
      />
      {removal.dialog}
    </section>
  )
}

const headOf = (onShow: Props['onShow']) => (fence: ManagedFence) => (
  <button type="button" className="fences-name" onClick={() => onShow(fence)}>
    {fence.name}
  </button>
)

function columnsOf(
  { kind, removed }: Question,
  { onShow, onEdit }: Pick<Props, 'onShow' | 'onEdit'>,
): readonly Column<ManagedFence>[] {
  const isParking = kind === 'parking'
  const name: Column<ManagedFence> = {
    key: 'name',
    title: t('名称'),
    sortable: true,
    inHead: true,
    render: headOf(onShow),
  }
  const columns: (Column<ManagedFence> | false)[] = [
    name,
    kind !== 'service_area' && { key: 'of', title: t('服务区'), render: (fence) => fence.areaName },
    isParking && {
      key: 'capacity',
      title: t('容量'),
      numeric: true,
      sortable: true,
      render: (f) => f.capacity ?? '--',
    },
    kind !== 'service_area' && {
      key: 'standing',
      title: t('当前车辆'),
      numeric: true,
      sortable: true,
      render: (fence) => <Standing fence={fence} />,
    },
    { key: 'returns', title: t('近 7 天还车'), numeric: true, sortable: true, render: (fence) => fence.returns },
    isParking && { key: 'hours', title: t('开放时间'), render: hoursWord },
    { key: 'area', title: t('面积'), numeric: true, sortable: true, render: (fence) => sizeWord(fence.areaM2) },
    { key: 'version', title: t('版本'), numeric: true, render: (fence) => `v${fence.version}` },
    {
      key: 'changed',
      title: t('修改时间'),
      sortable: true,
      render: (fence) => dateTime(fence.validTo ?? fence.validFrom),
    },
    {
      key: 'by',
      title: removed === true ? t('删除人') : t('修改人'),
      render: (fence) => (fence.removedBy ?? fence.authorName) || '--',
    },
    removed !== true && {
      key: 'acts',
      title: t('操作'),
      render: (fence) => (
        <button type="button" className="fences-name" onClick={() => onEdit(fence)}>
          {t('编辑')}
        </button>
      ),
    },
  ]
  return columns.filter((column) => column !== false)
}

export function Standing({ fence }: { readonly fence: ManagedFence }): ReactNode {
  const { standing, capacity } = fence
  if (standing === null) return '--'
  const isFull = capacity !== null && standing >= capacity
  return (
    <span data-full={isFull} className="fences-standing">
      {standing}
      {isFull && <small>{t('满')}</small>}
    </span>
  )
}
