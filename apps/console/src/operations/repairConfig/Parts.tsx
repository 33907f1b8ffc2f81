import { useState, type ReactNode } from 'react'
import { repairConfigEndpoints, type RepairPart } from '@saddle/contract/operations/repairConfig.ts'
import { money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DataTable, type Column, type Sort } from '#kit/list/DataTable.tsx'
import { Keyword } from '#kit/list/FilterBar.tsx'
import { notify } from '#kit/notify.ts'
import { onDemand } from '#kit/onDemand.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { Permit } from '#kit/ui/Permit.tsx'
import { Empty } from '#kit/ui/states.tsx'
import { saveShown } from '../parts/saveShown.ts'
import { useSend } from '../parts/useSend.ts'

interface Props {
  readonly agentId: number
  readonly list: readonly RepairPart[]
}
type Doing = { readonly kind: 'edit' | 'stock'; readonly part: RepairPart | null }

const PartForm = onDemand(
  () => import('./PartForm.tsx'),
  ({ onClose }) => onClose(),
)
const StockForm = onDemand(
  () => import('./StockForm.tsx'),
  ({ onClose }) => onClose(),
)

const isLow = ({ stock, stockLow }: RepairPart): boolean => stock <= stockLow

/** Parts with their price and what is left of them; what runs out stands first. */
export function Parts({ agentId, list }: Props): ReactNode {
  const [keyword, setKeyword] = useState('')
  const [lowOnly, setLowOnly] = useState(false)
  const [sort, setSort] = useState<Sort>({ by: 'stock', direction: 'asc' })
  const [doing, setDoing] = useState<Doing | null>(null)
  const remove = useSend(repairConfigEndpoints.removeRepairPart, {
    invalidates: [repairConfigEndpoints.repairConfig],
    onSuccess: (_, { input }) => {
      const gone = list.find(({ id }) => id === Number(input.id))
      if (gone !== undefined)
        notify.success({ text: t('已停用配件“{{name}}”，用过它的维修保留记录', { name: gone.name }) })
    },
  })
  const shown = list.filter((part) => part.name.includes(keyword) && (!lowOnly || isLow(part))).toSorted(orderOf(sort))
  const titles = [t('配件'), t('单位'), t('单价（元）'), t('库存'), t('库存下限'), t('近 30 天用量')]
  const cells = (part: RepairPart) => [
    part.name,
    part.unit,
    part.priceCents / 100,
    part.stock,
    part.stockLow,
    part.usedPieces,
  ]
  return (
    <section className="page-card">
      <div className="work-bar">
        <Keyword label={t('配件名称')} value={keyword} onChange={setKeyword} />
        <label className="filter-number">
          <input type="checkbox" checked={lowOnly} onChange={(event) => setLowOnly(event.target.checked)} />
          {t('只看库存不足的（{{count}}）', { count: list.filter(isLow).length })}
        </label>
        <Button onClick={() => saveShown({ fileName: 'repair-parts.csv', titles, rows: shown.map(cells) })}>
          {t('导出')}
        </Button>
        <Permit action="0501">
          <Button look="primary" onClick={() => setDoing({ kind: 'edit', part: null })}>
            {t('新增配件')}
          </Button>
        </Permit>
      </div>
      <DataTable<RepairPart>
        label={t('配件与库存')}
        columns={columnsOf({ setDoing, remove: (id) => remove.send({ id }) })}
        rows={shown}
        rowKey={(row) => row.id}
        sort={sort}
        onSort={setSort}
        cardHead={(row) => row.name}
        empty={<Empty title={t('没有符合条件的配件')} />}
      />
      {doing?.kind === 'edit' && <PartForm agentId={agentId} part={doing.part} onClose={() => setDoing(null)} />}
      {doing?.kind === 'stock' && doing.part !== null && <StockForm part={doing.part} onClose={() => setDoing(null)} />}
    </section>
  )
}

function orderOf({ by, direction }: Sort) {
  const sign = direction === 'asc' ? 1 : -1
  const value = (part: RepairPart): number =>
    by === 'price' ? part.priceCents : by === 'used' ? part.usedPieces : part.stock - part.stockLow
  return (a: RepairPart, b: RepairPart): number =>
    by === 'name' ? sign * a.name.localeCompare(b.name, 'zh') : sign * (value(a) - value(b)) || a.id - b.id
}

function columnsOf(acts: {
  setDoing: (doing: Doing) => void
  remove: (id: number) => void
}): readonly Column<RepairPart>[] {
  return [
    { key: 'name', title: t('配件'), inHead: true, sortable: true, render: (row) => row.name },
    {
      key: 'price',
      title: t('单价'),
      unit: t('元'),
      numeric: true,
      sortable: true,
      render: (row) => `${money(row.priceCents)} / ${row.unit}`,
    },
    {
      key: 'stock',
      title: t('库存'),
      numeric: true,
      sortable: true,
      render: (row) => (
        <span className={isLow(row) ? 'work-late' : undefined}>
          {row.stock} {row.unit}
          {row.stock < 0 && ` · ${t('请盘点')}`}
        </span>
      ),
    },
    { key: 'low', title: t('库存下限'), numeric: true, render: (row) => row.stockLow },
    { key: 'used', title: t('近 30 天用量'), numeric: true, sortable: true, render: (row) => row.usedPieces },
    {
      key: 'acts',
      title: t('操作'),
      render: (row) => (
        <Permit action="0501">
          <Button look="quiet" onClick={() => acts.setDoing({ kind: 'stock', part: row })}>
            {t('库存')}
          </Button>
          <Button look="quiet" onClick={() => acts.setDoing({ kind: 'edit', part: row })}>
            {t('修改')}
          </Button>
          <Button look="quiet" onClick={() => acts.remove(row.id)}>
            {t('停用')}
          </Button>
        </Permit>
      ),
    },
  ]
}
