import { useState, type ReactNode } from 'react'
import {
  heldReasonLabels,
  heldReasons,
  unknownDeviceEndpoints,
  unknownDeviceFilterSchema,
  unknownDeviceStateLabels,
  unknownDeviceStates,
  type UnknownDevice,
  type UnknownDeviceFilter,
} from '@saddle/contract/fleet/unknownDevices.ts'
import { deviceProtocolLabels, deviceProtocols } from '@saddle/contract/fleet/protocols.ts'
import { serverNow } from '#kit/clock.ts'
import { dateTime, relativeTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { changeFilter, useAddressFilter } from '#kit/list/addressFilter.ts'
import { One } from '#kit/list/Choices.tsx'
import { DataTable, type Column } from '#kit/list/DataTable.tsx'
import { FilterBar, Keyword } from '#kit/list/FilterBar.tsx'
import { Pager } from '#kit/list/Pager.tsx'
import { usePages } from '#kit/list/usePages.ts'
import { useEndpoint } from '#kit/query.ts'
import { useScope } from '#kit/session/scope.ts'
import { Empty } from '#kit/ui/states.tsx'
import { UnknownPanel } from './UnknownPanel.tsx'
import '#kit/list/list.css'
import './deviceAccess.css'

const pageSize = 50
const refreshEveryMs = 30_000

/** Devices that called and were not let in. */
export function UnknownList({ onRegister }: { readonly onRegister: (caller: UnknownDevice) => void }): ReactNode {
  const [filter, setFilter] = useAddressFilter(unknownDeviceFilterSchema)
  const { scopeKey } = useScope()
  const state = filter.state ?? 'open'
  const pages = usePages(JSON.stringify([filter, scopeKey]))
  const [shownName, setShownName] = useState<string | null>(null)
  const input = {
    filter: { ...filter, state },
    pageSize,
    ...(pages.cursor !== undefined && { cursor: pages.cursor }),
  }
  const { data, error, isPlaceholderData, refetch } = useEndpoint(unknownDeviceEndpoints.listUnknownDevices, input, {
    keepPrevious: true,
    refetchIntervalMs: refreshEveryMs,
  })
  const page = data?.data
  const shown = page?.list.find(({ name }) => name === shownName)
  const change = (part: Partial<Record<keyof UnknownDeviceFilter, unknown>>) => setFilter(changeFilter(filter, part))
  return (
    <>
      <FilterBar
        count={Object.keys(filter).filter((key) => key !== 'state').length}
        onClear={() => setFilter({ state })}
      >
        <Keyword
          label={t('IMEI、终端号或来源地址')}
          value={filter.keyword ?? ''}
          onChange={(text) => change({ keyword: text === '' ? undefined : text })}
        />
        <One
          label={t('协议')}
          value={filter.protocol}
          options={deviceProtocols.map((value) => ({ value, label: deviceProtocolLabels[value] }))}
          onChange={(protocol) => change({ protocol })}
        />
        <One
          label={t('被拒原因')}
          value={filter.reason}
          options={heldReasons.map((value) => ({ value, label: t(heldReasonLabels[value]) }))}
          onChange={(reason) => change({ reason })}
        />
        <nav className="da-tabs" aria-label={t('状态')}>
          {unknownDeviceStates.map((each) => (
            <button
              key={each}
              type="button"
              aria-current={each === state ? 'page' : undefined}
              onClick={() => change({ state: each })}
            >
              {t(unknownDeviceStateLabels[each])}
              <b>{page?.counts[each] ?? ''}</b>
            </button>
          ))}
        </nav>
      </FilterBar>
      <div className="da-split">
        <section className="page-card">
          <DataTable<UnknownDevice>
            label={t('未知设备')}
            columns={columnsOf(setShownName)}
            rows={page?.list}
            rowKey={(row) => row.name}
            loading={isPlaceholderData}
            error={error}
            onRetry={() => void refetch()}
            onOpen={(row) => setShownName(row.name)}
            cardHead={(row) => nameCell(row, setShownName)}
            empty={
              <Empty title={t(emptyTitles[state])} text={t('未登记、密码不符或协议不符的设备来访后会出现在这里')} />
            }
          />
          <Pager
            page={pages.page}
            hasNext={(page?.nextCursor ?? null) !== null}
            count={page?.counts[state] ?? null}
            busy={isPlaceholderData}
            onPrevious={pages.previous}
            onNext={() => pages.next(page?.nextCursor ?? '')}
          />
        </section>
        {shown !== undefined && (
          <UnknownPanel
            key={shown.name}
            device={shown}
            onRegister={() => onRegister(shown)}
            onClose={() => setShownName(null)}
          />
        )}
      </div>
    </>
  )
}

const emptyTitles = {
  open: '没有待处理的设备',
  refused: '没有被拒绝的设备',
  accepted: '没有由此登记的设备',
} as const

const nameCell = (row: UnknownDevice, onShow: (name: string) => void): ReactNode => (
  <button type="button" className="da-name" onClick={() => onShow(row.name)}>
    {row.name}
  </button>
)

function columnsOf(onShow: (name: string) => void): readonly Column<UnknownDevice>[] {
  return [
    { key: 'name', title: t('IMEI 或终端号'), inHead: true, render: (row) => nameCell(row, onShow) },
    { key: 'protocol', title: t('协议'), render: (row) => deviceProtocolLabels[row.protocol] },
    { key: 'reason', title: t('被拒原因'), render: (row) => t(heldReasonLabels[row.reason]) },
    { key: 'vehicle', title: t('登记在'), render: (row) => row.vehicle?.number ?? '--' },
    { key: 'tries', title: t('来访'), unit: t('次'), numeric: true, render: (row) => row.tries },
    { key: 'first', title: t('首次来访'), render: (row) => <time>{dateTime(row.firstSeenAt)}</time> },
    {
      key: 'last',
      title: t('最近来访'),
      render: (row) => <time title={dateTime(row.lastSeenAt)}>{relativeTime(row.lastSeenAt, serverNow())}</time>,
    },
    { key: 'address', title: t('来源地址'), render: (row) => row.address },
    { key: 'by', title: t('处理人'), render: (row) => row.decidedBy ?? '--' },
  ]
}
