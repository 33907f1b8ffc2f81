import { useState, type ReactNode } from 'react'
import { lifeEndpoints, lifeKindLabels, lifeKinds, type LifeKind } from '@saddle/contract/fleet/life.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Pager } from '#kit/list/Pager.tsx'
import { usePages } from '#kit/list/usePages.ts'
import { useEndpoint } from '#kit/query.ts'
import { Empty, ErrorState, Loading } from '#kit/ui/states.tsx'
import { keyOfEntry, wordsOfEntry } from '../life/words.ts'

const pageSize = 30

/** Everything that ever happened to a vehicle, newest first. */
export function Life({ vehicleId }: { vehicleId: number }): ReactNode {
  const [kinds, setKinds] = useState<readonly LifeKind[]>([])
  const pages = usePages(`${vehicleId}|${kinds.join()}`)
  const input = {
    vehicleId,
    pageSize,
    ...(kinds.length > 0 && { kinds: [...kinds] }),
    ...(pages.cursor !== undefined && { cursor: pages.cursor }),
  }
  const { data, error, isPlaceholderData, refetch } = useEndpoint(lifeEndpoints.vehicleLife, input, {
    keepPrevious: true,
  })
  const page = data?.data
  const toggle = (kind: LifeKind) =>
    setKinds(
      kinds.includes(kind)
        ? kinds.filter((one) => one !== kind)
        : lifeKinds.filter((one) => one === kind || kinds.includes(one)),
    )
  return (
    <section className="page-card">
      <h2>{t('经历')}</h2>
      <fieldset className="vi-kinds" aria-label={t('按种类筛选')}>
        {lifeKinds.map((kind) => (
          <button key={kind} type="button" aria-pressed={kinds.includes(kind)} onClick={() => toggle(kind)}>
            {t(lifeKindLabels[kind])}
          </button>
        ))}
      </fieldset>
      {page === undefined ? (
        error === null ? (
          <Loading />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : page.list.length === 0 ? (
        <Empty title={t('没有这类记录')} />
      ) : (
        <ol className="vi-life" aria-busy={isPlaceholderData}>
          {page.list.map((entry) => (
            <li key={keyOfEntry(entry)} data-kind={entry.kind}>
              <time>{dateTime(entry.at)}</time>
              <span className="vi-kind">{t(lifeKindLabels[entry.kind])}</span>
              <p>{wordsOfEntry(entry)}</p>
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
