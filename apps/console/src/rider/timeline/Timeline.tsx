import { useInfiniteQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { entryKinds } from '@saddle/contract/finance/ledger.ts'
import { certificateKindLabels } from '@saddle/contract/rider/certificates.ts'
import { rebindKindLabels } from '@saddle/contract/rider/rebinds.ts'
import {
  channelRefundCodes,
  type RiderEvent,
  type RiderEventGroup,
  riderEventGroups,
  riderEventKinds,
  timelineEndpoints,
} from '@saddle/contract/rider/timeline.ts'
import { orderStateLabels } from '@saddle/contract/riding/orders.ts'
import { call } from '#kit/api/client.ts'
import { dateTime, money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { ExportButton } from '#kit/list/ExportButton.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { endpointKey } from '#kit/query.ts'
import { Empty, ErrorState, Loading } from '#kit/ui/states.tsx'

const pageSize = 30
const groups = Object.keys(riderEventGroups) as RiderEventGroup[]

/** The rider's life, newest first: rides, money, tickets, certificates and what staff did. */
export function Timeline({ riderId }: { riderId: number }): ReactNode {
  const [hidden, setHidden] = useState<ReadonlySet<RiderEventGroup>>(new Set())
  const wanted = groups.filter((group) => !hidden.has(group))
  const asked = { riderId, groups: wanted, pageSize }
  const { data, error, isFetching, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey: endpointKey(timelineEndpoints.riderTimeline, asked),
    queryFn: ({ pageParam, signal }) =>
      call(timelineEndpoints.riderTimeline, { ...asked, ...(pageParam !== null && { before: pageParam }) }, { signal }),
    initialPageParam: null as number | null,
    getNextPageParam: (last) => last.data.nextBefore,
    enabled: wanted.length > 0,
  })
  const events = data?.pages.flatMap((page) => page.data.list)
  const toggle = (group: RiderEventGroup) => {
    const next = new Set(hidden)
    if (!next.delete(group)) next.add(group)
    setHidden(next)
  }
  return (
    <section className="page-card">
      <h2 className="rider-h2">
        {t('经历')}
        {wanted.length > 0 && (
          <ExportButton
            onExport={async ({ language }) =>
              (
                await call(
                  timelineEndpoints.exportRiderTimeline,
                  { riderId, groups: wanted, language },
                  { quiet: true },
                )
              ).data
            }
          />
        )}
      </h2>
      <fieldset className="rider-groups">
        <legend className="visually-hidden">{t('显示哪些经历')}</legend>
        {groups.map((group) => (
          <label key={group}>
            <input type="checkbox" checked={!hidden.has(group)} onChange={() => toggle(group)} />
            {t(riderEventGroups[group])}
          </label>
        ))}
      </fieldset>
      {events === undefined && wanted.length > 0 ? (
        error === null ? (
          <Loading />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : (events ?? []).length === 0 ? (
        <Empty title={t('没有可显示的经历')} />
      ) : (
        <ol className="rider-life">
          {events?.map((event) => (
            <Moment key={keyOf(event)} event={event} />
          ))}
        </ol>
      )}
      {hasNextPage && (
        <p className="rider-more">
          <Button busy={isFetching} onClick={() => void fetchNextPage()}>
            {t('更早的经历')}
          </Button>
        </p>
      )}
    </section>
  )
}

const keyOf = ({ at, kind, code, text, cents, aboutId }: RiderEvent): string =>
  [at, kind, code, text, cents, aboutId].join(' ')

function Moment({ event }: { event: RiderEvent }) {
  const { at, kind, cents, by, text } = event
  const words = [text, cents === null ? '' : t('{{yuan}} 元', { yuan: money(cents) }), by ?? ''].filter(Boolean)
  return (
    <li data-kind={kind}>
      <time>{dateTime(at)}</time>
      <div className="rider-what">
        <strong>
          <Name event={event} />
        </strong>
        {words.length > 0 && <p>{words.join(' · ')}</p>}
      </div>
    </li>
  )
}

function Name({ event: { kind, code, aboutId } }: { event: RiderEvent }) {
  const what = codeWords(kind, code)
  const words = what === '' ? t(riderEventKinds[kind]) : `${t(riderEventKinds[kind])} · ${what}`
  if (aboutId === null) return words
  return (
    <Link to={kind === 'ticket' ? `/user-worksheet-detail?ticket=${aboutId}` : `/user-order-detail?order=${aboutId}`}>
      {words}
    </Link>
  )
}

const within = (words: Readonly<Record<string, string>>, code: string): string => {
  const word = Object.hasOwn(words, code) ? words[code] : undefined
  return word === undefined ? '' : t(word)
}

function codeWords(kind: RiderEvent['kind'], code: string): string {
  if (kind === 'ride') return within(orderStateLabels, code)
  if (kind === 'money') return within({ ...entryKinds, ...channelRefundCodes }, code)
  if (kind.startsWith('certificate')) return within(certificateKindLabels, code)
  if (kind.startsWith('rebind')) return within(rebindKindLabels, code)
  if (kind === 'revealed') return code === 'phone' ? t('手机号') : t('证件号')
  return ''
}
