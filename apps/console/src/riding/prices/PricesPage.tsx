import { useMemo, useState, type ReactNode } from 'react'
import { fields } from '@saddle/contract/list.ts'
import { priceEndpoints, type ListedVersion } from '@saddle/contract/riding/prices.ts'
import { money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { KeywordField } from '#kit/list/filters/KeywordField.tsx'
import { ListCard } from '#kit/list/ListCard.tsx'
import { Moment, type ColumnSpec } from '#kit/list/table/columns.tsx'
import { heldListOf, useHeldList } from '#kit/list/useHeldList.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { usualRules } from './draft.ts'
import { History } from './History.tsx'
import { PriceEditor, type Beginning } from './PriceEditor.tsx'
import { useWithdraw } from './useWithdraw.ts'
import '../detail/detail.css'
import './prices.css'

/** An area with its price; null where nobody can ride yet. */
interface Row {
  readonly areaId: number
  readonly areaName: string
  readonly version: ListedVersion | null
}

const centsOf =
  (pick: (version: ListedVersion) => number | null) =>
  ({ version }: Row): number | null =>
    version === null ? null : pick(version)
const startCents = centsOf(({ rules }) => rules.startCents)
const dayCapCents = centsOf(({ rules }) => rules.dayCapCents)
const outOfPlaceCents = centsOf(({ rules }) => rules.outOfPlaceCents)
const outsideAreaCents = centsOf(({ rules }) => rules.outsideAreaCents)

const prices = heldListOf<Row>({
  name: 'prices',
  fields: fields<Row>()({ areaName: '服务区' }),
  sorts: {
    // Areas without a price come first: nobody can ride there.
    areaName: ['asc', ({ areaName, version }) => `${version === null ? 0 : 1} ${areaName}`],
    start: ['desc', startCents],
    cap: ['desc', dayCapCents],
    outOfPlace: ['desc', outOfPlaceCents],
    outside: ['desc', outsideAreaCents],
    from: ['desc', ({ version }) => version?.validFrom ?? null],
  },
  rowKey: ({ areaId }) => areaId,
})

/** What riding costs in each area now; the versions before and to come; and how a new one is made. */
export default function PricesPage(): ReactNode {
  const { data, error, refetch } = useEndpoint(priceEndpoints.listPriceVersions, {}, { quiet: true })
  const [areaId, setAreaId] = useState<number | null>(null)
  const [editing, setEditing] = useState<Beginning | null>(null)
  const [keyword, setKeyword] = useState('')
  const all = useMemo(() => (data === undefined ? undefined : rowsOf(data.data)), [data])
  const rows = all?.filter((row) => row.areaName.includes(keyword) || row.version?.name.includes(keyword) === true)
  const list = useHeldList(prices, { rows, error, retry: () => void refetch() })
  const columns = useMemo(() => columnsOf(setAreaId), [])
  const begin = (areas: readonly Row[], version: ListedVersion | null) =>
    setEditing({
      name: version?.name ?? null,
      rules: version?.rules ?? usualRules,
      areas: areas.map(({ areaId: id, areaName, version: own }) => ({ areaId: id, areaName, isPriced: own !== null })),
    })
  return (
    <div className="page">
      <header className="page-head">
        <h1>{t('计费配置')}</h1>
      </header>
      {editing !== null && (
        <PriceEditor
          key={JSON.stringify(editing)}
          from={editing}
          onClose={() => setEditing(null)}
          onPublished={() => {
            setEditing(null)
            list.choose([])
          }}
        />
      )}
      <KeywordField label={t('服务区或版本名称')} value={keyword} onChange={setKeyword} />
      <ListCard
        list={list}
        label={t('现行计价')}
        columns={columns}
        rowName={({ areaName }) => areaName}
        empty={keyword === '' ? t('还没有服务区') : t('没有符合条件的服务区')}
        selectable
        renderTools={(areas) => (
          <Button
            look="primary"
            onClick={() => begin(areas, areas.find(({ version }) => version !== null)?.version ?? null)}
          >
            {t('为 {{count}} 个服务区调整计价', { count: areas.length })}
          </Button>
        )}
        onOpen={(row) => setAreaId(row.areaId)}
      />
      {areaId !== null && (
        <History
          key={areaId}
          areaId={areaId}
          onClose={() => setAreaId(null)}
          onBegin={(version) =>
            begin(
              (all ?? []).filter((row) => row.areaId === areaId),
              version,
            )
          }
        />
      )}
    </div>
  )
}

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

/** The change of an area that comes next, which can be taken back until it begins. */
function Next({ row: { areaId, version } }: { readonly row: Row }) {
  const { send, isBusy } = useWithdraw()
  if (version === null || version.next === null) return '--'
  return (
    <span className="price-next">
      {version.next.name}
      <small>
        <Moment at={version.next.validFrom} />
      </small>
      <Button look="quiet" busy={isBusy} onClick={() => send({ areaIds: [areaId] })}>
        {t('撤回')}
      </Button>
    </span>
  )
}

/** What riding costs after the minutes of the start fee; of several steps, the first one and how many follow. */
function timeText({ version }: Row): string {
  const [first, ...later] = version?.rules.timeSteps ?? []
  if (first === undefined) return '--'
  const text = t('{{from}} 分钟后每 {{minutes}} 分钟 {{yuan}} 元', {
    from: first.fromMinute,
    minutes: first.everyMinutes,
    yuan: money(first.cents),
  })
  return later.length === 0 ? text : t('{{text}}，另有 {{count}} 档', { text, count: later.length })
}

function columnsOf(onShow: (areaId: number) => void): readonly ColumnSpec<Row>[] {
  const amount = (key: string, title: string, of: (row: Row) => number | null): ColumnSpec<Row> => ({
    key,
    title,
    unit: t('元'),
    numeric: true,
    render: (row) => money(of(row)),
  })
  return [
    { key: 'areaName', card: 'head' },
    {
      key: 'version',
      title: t('版本'),
      card: 'head',
      render: ({ version }) =>
        version === null ? <span data-tone="warn">{t('尚未定价，不能骑行')}</span> : version.name,
    },
    amount('start', t('起步价'), startCents),
    { key: 'time', title: t('时长费'), card: 'wide', render: timeText },
    amount('cap', t('日封顶'), dayCapCents),
    amount('outOfPlace', t('停车点外'), outOfPlaceCents),
    amount('outside', t('服务区外'), outsideAreaCents),
    {
      key: 'from',
      title: t('生效时间'),
      card: 'none',
      render: ({ version }) => <Moment at={version?.validFrom ?? null} />,
    },
    { key: 'next', title: t('将要生效'), card: 'none', render: (row) => <Next row={row} /> },
    {
      key: 'history',
      title: t('历史'),
      card: 'none',
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
