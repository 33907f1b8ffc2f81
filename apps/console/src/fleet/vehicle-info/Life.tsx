import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { lifeEndpoints, lifeKindLabels, lifeKinds, type LifeEntry, type LifeKind } from '@saddle/contract/fleet/life.ts'
import { call } from '#kit/api/client.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { RangeButton, type Range } from '#kit/list/filters/RangeButton.tsx'
import { ExportButton } from '#kit/list/ExportButton.tsx'
import { Pager } from '#kit/list/Pager.tsx'
import { usePages } from '#kit/list/usePages.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Empty, ErrorState, Loading } from '#kit/ui/states.tsx'
import { Permit } from '#kit/ui/Permit.tsx'
import { foldRides } from '../life/rides.ts'
import { keyOfEntry, wordsOfEntry } from '../life/words.ts'

const pageSize = 30

/**
 * Everything that ever happened to a vehicle, newest first. It is no table: its entries are of six kinds without common
 * columns, and the steps of a ride stand folded in one of them.
 */
export function Life({ vehicleId }: { vehicleId: number }): ReactNode {
  const [kinds, setKinds] = useState<readonly LifeKind[]>([])
  const [range, setRange] = useState<Range>({})
  const { from, to } = range
  const pages = usePages(`${vehicleId}|${kinds.join()}|${from ?? ''}|${to ?? ''}`)
  const narrow = {
    vehicleId,
    ...(kinds.length > 0 && { kinds: [...kinds] }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  }
  const input = {
    ...narrow,
    pageSize,
    ...(pages.cursor !== undefined && { cursor: pages.cursor }),
  }
  const { data, error, isPlaceholderData, refetch } = useEndpoint(lifeEndpoints.vehicleLife, input, {
    keepPrevious: true,
  })
  const page = data?.data
  const isNarrowed = kinds.length > 0 || from !== undefined || to !== undefined
  const toggle = (kind: LifeKind) =>
    setKinds(
      kinds.includes(kind)
        ? kinds.filter((one) => one !== kind)
        : lifeKinds.filter((one) => one === kind || kinds.includes(one)),
    )
  return (
    <section className="page-card">
      <h2>{t('经历')}</h2>
      <div className="vi-life-filters">
        <fieldset className="vi-kinds" aria-label={t('按种类筛选')}>
          {lifeKinds.map((kind) => (
            <button key={kind} type="button" aria-pressed={kinds.includes(kind)} onClick={() => toggle(kind)}>
              {t(lifeKindLabels[kind])}
            </button>
          ))}
        </fieldset>
        <RangeButton title={t('日期')} from={from} to={to} onChange={setRange} />
        <ExportButton
          onExport={async ({ language }) =>
            (await call(lifeEndpoints.exportVehicleLife, { ...narrow, language }, { quiet: true })).data
          }
        />
      </div>
      {page === undefined ? (
        error === null ? (
          <Loading />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : page.list.length === 0 ? (
        <Nothing
          isNarrowed={isNarrowed}
          onClear={() => {
            setKinds([])
            setRange({})
          }}
        />
      ) : (
        <ol className="vi-life" aria-busy={isPlaceholderData}>
          {foldRides(page.list).map(({ entry, parts, orderId }) => (
            <li key={keyOfEntry(entry)} data-kind={entry.kind}>
              <time>{dateTime(entry.at)}</time>
              <span className="vi-kind">{t(lifeKindLabels[entry.kind])}</span>
              <div>
                {wordsOfEntry(entry)}
                {orderId !== null && (
                  <Permit action="1601">
                    {' '}
                    <Link to={`/user-order-detail?order=${orderId}`}>{t('查看订单')}</Link>
                  </Permit>
                )}
                {parts.length > 0 && <Parts parts={parts} />}
              </div>
            </li>
          ))}
        </ol>
      )}
      <Pager
        page={pages.page}
        hasNext={page?.nextCursor !== null && page !== undefined}
        count={null}
        busy={isPlaceholderData}
        onPrevious={pages.previous}
        onNext={() => pages.next(page?.nextCursor ?? null)}
      />
    </section>
  )
}

function Nothing({ isNarrowed, onClear }: { readonly isNarrowed: boolean; readonly onClear: () => void }) {
  if (!isNarrowed) return <Empty title={t('还没有记录')} />
  return <Empty title={t('没有符合条件的记录')} action={<Button onClick={onClear}>{t('清除条件')}</Button>} />
}

/** What happened in one ride, for who looks closer. */
function Parts({ parts }: { readonly parts: readonly LifeEntry[] }) {
  return (
    <details>
      <summary>{t('{{count}} 条记录', { count: parts.length })}</summary>
      <ul>
        {parts.map((entry) => (
          <li key={keyOfEntry(entry)}>
            {dateTime(entry.at).slice(11)} {wordsOfEntry(entry)}
          </li>
        ))}
      </ul>
    </details>
  )
}
