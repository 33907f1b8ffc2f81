import { useState, type ReactNode } from 'react'
import { repairConfigEndpoints, repairPartFields, type RepairPart } from '@saddle/contract/operations/repairConfig.ts'
import { useAction } from '#kit/action/useAction.ts'
import { money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { KeywordField } from '#kit/list/filters/KeywordField.tsx'
import { ListCard } from '#kit/list/ListCard.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { heldListOf, useHeldList } from '#kit/list/useHeldList.ts'
import { onDemand } from '#kit/onDemand.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { MoreMenu } from '#kit/ui/MoreMenu.tsx'
import { Permit } from '#kit/ui/Permit.tsx'
import { staleConfig } from './stale.ts'

const PartDialog = onDemand(
  () => import('./PartDialog.tsx'),
  ({ onClose }) => onClose(),
)
const StockDialog = onDemand(
  () => import('./StockDialog.tsx'),
  ({ onClose }) => onClose(),
)

interface Acts {
  readonly edit: (part: RepairPart) => void
  readonly stock: (part: RepairPart) => void
  readonly remove: (part: RepairPart) => void
}

const isLow = ({ stock, stockLow }: RepairPart): boolean => stock <= stockLow

/** What runs out stands first. */
const parts = heldListOf<RepairPart>({
  name: 'repair-parts',
  fields: repairPartFields,
  sorts: {
    stock: ['asc', ({ stock, stockLow }) => stock - stockLow],
    name: ['asc', ({ name }) => name],
    price: ['desc', ({ priceCents }) => priceCents],
    usedPieces: ['desc', ({ usedPieces }) => usedPieces],
  },
})

interface Props {
  readonly agentId: number
  readonly list: readonly RepairPart[]
}

/** Parts with their price and what is left of them. */
export function Parts({ agentId, list: all }: Props): ReactNode {
  const [keyword, setKeyword] = useState('')
  const [lowOnly, setLowOnly] = useState(false)
  const [open, setOpen] = useState<{ kind: 'edit' | 'stock'; part: RepairPart | null } | null>(null)
  const remove = useAction(repairConfigEndpoints.removeRepairPart, {
    stale: staleConfig,
    done: (_, { id }) =>
      t('已停用配件“{{name}}”，用过它的维修保留记录', {
        name: all.find((part) => part.id === Number(id))?.name ?? '',
      }),
  })
  const shown = all.filter((part) => part.name.includes(keyword) && (!lowOnly || isLow(part)))
  const list = useHeldList(parts, { rows: shown, fileName: 'repair-parts' })
  const close = () => setOpen(null)
  return (
    <>
      <search className="filters" aria-label={t('筛选条件')}>
        <KeywordField label={t('配件名称')} value={keyword} onChange={setKeyword} />
        <label className="filter-number">
          <input type="checkbox" checked={lowOnly} onChange={(event) => setLowOnly(event.target.checked)} />
          {t('只看库存不足的（{{count}}）', { count: all.filter(isLow).length })}
        </label>
      </search>
      <ListCard
        list={list}
        label={t('配件与库存')}
        extra={
          <Permit action="0501">
            <Button look="primary" onClick={() => setOpen({ kind: 'edit', part: null })}>
              {t('新增配件')}
            </Button>
          </Permit>
        }
        columns={columnsOf({
          edit: (part) => setOpen({ kind: 'edit', part }),
          stock: (part) => setOpen({ kind: 'stock', part }),
          remove: ({ id }) => remove.send({ id }),
        })}
        rowName={({ name }) => name}
        empty={t('没有符合条件的配件')}
      />
      {open?.kind === 'edit' && <PartDialog agentId={agentId} part={open.part} onClose={close} />}
      {open?.kind === 'stock' && open.part !== null && <StockDialog part={open.part} onClose={close} />}
    </>
  )
}

const columnsOf = (acts: Acts): readonly ColumnSpec<RepairPart>[] => [
  { key: 'name', card: 'head' },
  { key: 'priceCents', render: ({ priceCents, unit }) => `${money(priceCents)} / ${unit}` },
  {
    key: 'stock',
    render: (row) => (
      <span className={isLow(row) ? 'work-late' : undefined}>
        {row.stock} {row.unit}
        {row.stock < 0 && ` · ${t('请盘点')}`}
      </span>
    ),
  },
  'stockLow',
  'usedPieces',
  {
    key: 'more',
    title: t('操作'),
    card: 'head',
    render: (row) => (
      <MoreMenu
        label={t('“{{name}}”的操作', { name: row.name })}
        actions={[
          { key: 'stock', label: t('库存'), permission: '0501', run: () => acts.stock(row) },
          { key: 'edit', label: t('修改'), permission: '0501', run: () => acts.edit(row) },
          { key: 'remove', label: t('停用'), permission: '0501', isDanger: true, run: () => acts.remove(row) },
        ]}
      />
    ),
  },
]
