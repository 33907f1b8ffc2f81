import { useState, type ReactNode } from 'react'
import { priceEndpoints, type ListedVersion } from '@saddle/contract/riding/prices.ts'
import { dateTime, money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DataTable, type Column } from '#kit/list/DataTable.tsx'
import { FilterBar, Keyword } from '#kit/list/FilterBar.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Empty } from '#kit/ui/states.tsx'
import { usualRules } from './draft.ts'
import { History } from './History.tsx'
import { PriceEditor, type Beginning } from './PriceEditor.tsx'
import { usePlans } from './usePlans.ts'
import '#kit/list/filter.css'
import '../detail/detail.css'
import './prices.css'

/** An area with its price; null where nobody can ride yet. */
interface Row {
  readonly areaId: number
  readonly areaName: string
  readonly version: ListedVersion | null
}

/** What riding costs in each area now; the versions before and to come; and how a new one is made. */
export default function PricesPage(): ReactNode {
  const { data, error, refetch } = useEndpoint(priceEndpoints.listPriceVersions, {})
  const [areaId, setAreaId] = useState<number | null>(null)
  const [selected, setSelected] = useState<readonly number[]>([])
  const [editing, setEditing] = useState<Beginning | null>(null)
  const [keyword, setKeyword] = useState('')
  const plans = usePlans()
  const rows = data === undefined ? undefined : rowsOf(data.data)
  const begin = (areas: readonly Row[], version: ListedVersion | null) =>
    setEditing({
      name: version?.name ?? null,
      rules: version?.rules ?? usualRules,
      areas: areas.map(({ areaId: id, areaName, version: own }) => ({ areaId: id, areaName, isPriced: own !== null })),
    })
  const beginSelected = () => {
    const areas = (rows ?? []).filter((row) => selected.includes(row.areaId))
    begin(areas, areas.find(({ version }) => version !== null)?.version ?? null)
  }
  return (
    <div className="page">
      <header className="page-head">
        <h1>{t('计费配置')}</h1>
        <Button look="primary" disabled={selected.length === 0} onClick={beginSelected}>
          {selected.length === 0
            ? t('选择服务区后调整计价')
            : t('为 {{count}} 个服务区调整计价', { count: selected.length })}
        </Button>
      </header>
      {editing !== null && (
        <PriceEditor
          key={JSON.stringify(editing)}
          from={editing}
          onClose={() => setEditing(null)}
          onPublished={() => {
            setEditing(null)
            setSelected([])
          }}
        />
      )}
      <FilterBar count={keyword === '' ? 0 : 1} onClear={() => setKeyword('')}>
        <Keyword label={t('服务区或版本名称')} value={keyword} onChange={setKeyword} />
      </FilterBar>
      <section className="page-card">
        <DataTable<Row>
          label={t('现行计价')}
          columns={columnsOf({ onShow: setAreaId, onWithdraw: plans.withdraw, isBusy: plans.isBusy })}
          rows={rows?.filter((row) => row.areaName.includes(keyword) || row.version?.name.includes(keyword) === true)}
          rowKey={(row) => row.areaId}
          error={error}
          onRetry={() => void refetch()}
          selected={selected}
          onSelect={(keys) => setSelected(keys.map(Number))}
          onOpen={(row) => setAreaId(row.areaId)}
          cardHead={(row) => row.areaName}
          empty={<Empty title={keyword === '' ? t('还没有服务区') : t('没有符合条件的服务区')} />}
        />
      </section>
      {areaId !== null && (
        <History
          key={areaId}
          areaId={areaId}
          onClose={() => setAreaId(null)}
          onBegin={(version) =>
            begin(
              (rows ?? []).filter((row) => row.areaId === areaId),
              version,
            )
          }
        />
      )}
    </div>
  )
}

/** Areas without a price come first: nobody can ride there. */
function rowsOf({
  list,
  unpriced,
}: {
  readonly list: readonly ListedVersion[]
  readonly unpriced: readonly { readonly areaId: number; readonly areaName: string }[]
}): readonly Row[] {
  return [
    ...unpriced.map((area) => Object.assign({ version: null }, area)),
    ...list.map((version) => ({ areaId: version.areaId, areaName: version.areaName, version })),
  ]
}

interface Acts {
  readonly onShow: (areaId: number) => void
  readonly onWithdraw: (areaId: number) => void
  readonly isBusy: boolean
}

function columnsOf({ onShow, onWithdraw, isBusy }: Acts): readonly Column<Row>[] {
  const cents =
    (pick: (version: ListedVersion) => number | null) =>
    ({ version }: Row) =>
      version === null ? '--' : money(pick(version))
  const unit = t('元')
  return [
    { key: 'area', title: t('服务区'), inHead: true, render: (row) => row.areaName },
    {
      key: 'name',
      title: t('版本'),
      render: ({ version }) =>
        version === null ? <span data-tone="warn">{t('尚未定价，不能骑行')}</span> : version.name,
    },
    { key: 'start', title: t('起步价'), unit, numeric: true, render: cents(({ rules }) => rules.startCents) },
    { key: 'cap', title: t('日封顶'), unit, numeric: true, render: cents(({ rules }) => rules.dayCapCents) },
    { key: 'out', title: t('停车点外'), unit, numeric: true, render: cents(({ rules }) => rules.outOfPlaceCents) },
    { key: 'outside', title: t('服务区外'), unit, numeric: true, render: cents(({ rules }) => rules.outsideAreaCents) },
    {
      key: 'from',
      title: t('生效时间'),
      render: ({ version }) => (version === null ? '--' : <time>{dateTime(version.validFrom)}</time>),
    },
    {
      key: 'next',
      title: t('将要生效'),
      render: ({ areaId, version }) =>
        version === null || version.next === null ? (
          '--'
        ) : (
          <span className="price-next">
            {version.next.name}
            <Button look="quiet" busy={isBusy} onClick={() => onWithdraw(areaId)}>
              {t('撤回')}
            </Button>
            <small>{dateTime(version.next.validFrom)}</small>
          </span>
        ),
    },
    {
      key: 'history',
      title: t('历史'),
      render: ({ areaId, version }) =>
        version === null ? (
          '--'
        ) : (
          <Button look="quiet" onClick={() => onShow(areaId)}>
            {t('全部版本')}
          </Button>
        ),
    },
  ]
}
