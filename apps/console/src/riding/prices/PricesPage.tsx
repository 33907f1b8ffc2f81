import { useState, type ReactNode } from 'react'
import { priceEndpoints, type PriceVersion } from '@saddle/contract/riding/prices.ts'
import { dateTime, money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DataTable, type Column } from '#kit/list/DataTable.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Empty } from '#kit/ui/states.tsx'
import { PriceRulesCard } from '../detail/PriceRulesCard.tsx'
import { PriceEditor } from './PriceEditor.tsx'
import '#kit/list/filter.css'
import '../detail/detail.css'
import './prices.css'

/** What riding costs in each area now; the versions before and to come; and how a new one is made. */
export default function PricesPage(): ReactNode {
  const { data, error, refetch } = useEndpoint(priceEndpoints.listPriceVersions, {})
  const [areaId, setAreaId] = useState<number | null>(null)
  const [selected, setSelected] = useState<readonly number[]>([])
  const [editing, setEditing] = useState<PriceVersion | null>(null)
  const list = data?.data.list
  const begin = () => setEditing(list?.find((version) => version.areaId === selected[0]) ?? null)
  return (
    <div className="page">
      <header className="page-head">
        <h1>{t('计费配置')}</h1>
        <Button look="primary" disabled={selected.length === 0} onClick={begin}>
          {selected.length === 0
            ? t('选择服务区后调整计价')
            : t('为 {{count}} 个服务区调整计价', { count: selected.length })}
        </Button>
      </header>
      {editing !== null && (
        <PriceEditor
          key={editing.id}
          from={editing}
          areaIds={selected}
          onClose={() => setEditing(null)}
          onPublished={() => {
            setEditing(null)
            setSelected([])
          }}
        />
      )}
      <section className="page-card">
        <DataTable<PriceVersion>
          label={t('现行计价')}
          columns={columnsOf(setAreaId)}
          rows={list}
          rowKey={(row) => row.areaId}
          error={error}
          onRetry={() => void refetch()}
          selected={selected}
          onSelect={(keys) => setSelected(keys.map(Number))}
          onOpen={(row) => setAreaId(row.areaId)}
          cardHead={(row) => row.areaName}
          empty={<Empty title={t('还没有生效的计价版本')} />}
        />
      </section>
      {areaId !== null && <History areaId={areaId} onClose={() => setAreaId(null)} />}
    </div>
  )
}

function columnsOf(onShow: (areaId: number) => void): readonly Column<PriceVersion>[] {
  const cents = (pick: (version: PriceVersion) => number | null) => (version: PriceVersion) => money(pick(version))
  const unit = t('元')
  return [
    { key: 'area', title: t('服务区'), inHead: true, render: (row) => row.areaName },
    { key: 'name', title: t('版本'), render: (row) => row.name },
    { key: 'start', title: t('起步价'), unit, numeric: true, render: cents(({ rules }) => rules.startCents) },
    {
      key: 'covered',
      title: t('含时长'),
      unit: t('分钟'),
      numeric: true,
      render: ({ rules }) => rules.timeSteps[0]?.fromMinute ?? '--',
    },
    { key: 'cap', title: t('日封顶'), unit, numeric: true, render: cents(({ rules }) => rules.dayCapCents) },
    { key: 'out', title: t('停车点外'), unit, numeric: true, render: cents(({ rules }) => rules.outOfPlaceCents) },
    { key: 'outside', title: t('服务区外'), unit, numeric: true, render: cents(({ rules }) => rules.outsideAreaCents) },
    { key: 'from', title: t('生效时间'), render: (row) => <time>{dateTime(row.validFrom)}</time> },
    { key: 'author', title: t('发布人'), render: (row) => row.authorName },
    {
      key: 'history',
      title: t('历史'),
      render: (row) => (
        <Button look="quiet" onClick={() => onShow(row.areaId)}>
          {t('全部版本')}
        </Button>
      ),
    },
  ]
}

function History({ areaId, onClose }: { areaId: number; onClose: () => void }) {
  const { data } = useEndpoint(priceEndpoints.listPriceVersions, { areaId })
  const list = data?.data.list ?? []
  return (
    <section aria-label={t('全部版本')}>
      <header className="price-history-head">
        <h2>{t('{{area}} 的全部版本', { area: list[0]?.areaName ?? '' })}</h2>
        <Button look="quiet" onClick={onClose}>
          {t('收起')}
        </Button>
      </header>
      <div className="price-history">
        {list.map((version) => (
          <PriceRulesCard key={version.id} version={version} mark={version.inForce ? t('现行') : null} />
        ))}
      </div>
    </section>
  )
}
