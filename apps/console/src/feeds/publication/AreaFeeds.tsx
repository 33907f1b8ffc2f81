import type { ReactNode } from 'react'
import { gbfsFeedLabels, gbfsStaleMs } from '@saddle/contract/feeds/gbfs.ts'
import type { PublishedArea } from '@saddle/contract/feeds/publication.ts'
import { serverNow } from '#kit/clock.ts'
import { number, relativeTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Mark, type Tone } from '#kit/ui/Mark.tsx'
import { Empty } from '#kit/ui/states.tsx'

type Feed = PublishedArea['feeds'][number]

interface Props {
  readonly areas: readonly PublishedArea[]
  readonly isPublic: boolean
}

/** The feeds of each area: whether they are up to date, how old the last good one is, and what the check has found. */
export function AreaFeeds({ areas, isPublic }: Props): ReactNode {
  return (
    <section className="page-card feed-card" aria-label={t('数据状态')}>
      <h2>{t('数据状态')}</h2>
      <p>{t('每份数据在公开前按标准校验；未通过时保留上一份，并在此说明原因。')}</p>
      {areas.length === 0 && (
        <Empty
          title={t('还没有数据')}
          text={isPublic ? t('开始公开后一分钟内生成。') : t('开始公开后，这里显示每份数据的状态。')}
        />
      )}
      {areas.map((area) => (
        <article key={area.areaId} className="feed-area">
          <h3>
            {area.areaName}{' '}
            <a href={area.url} target="_blank" rel="noreferrer">
              {area.url}
            </a>
          </h3>
          <ul className="feed-rows">
            {area.feeds.map((feed) => (
              <FeedLine key={feed.name} feed={feed} isPublic={isPublic} />
            ))}
          </ul>
        </article>
      ))}
    </section>
  )
}

function FeedLine({ feed, isPublic }: { readonly feed: Feed; readonly isPublic: boolean }): ReactNode {
  const now = serverNow()
  const { tone, says } = healthOf(feed, { now, isPublic })
  return (
    <li>
      <strong>
        {t(gbfsFeedLabels[feed.name])} <code>{feed.name}</code>
      </strong>
      <span>
        <Mark tone={tone}>{says}</Mark>
      </span>
      <small>
        {feed.publishedAt === null
          ? t('从未通过校验')
          : t('数据生成于 {{ago}} · {{size}} KB', {
              ago: relativeTime(feed.publishedAt, now),
              size: number(Math.ceil(feed.bytes / 1_024)),
            })}
      </small>
      {feed.findings.length > 0 && (
        <ol className="feed-findings">
          {feed.findings.map((finding) => (
            <li key={finding}>
              <code>{finding}</code>
            </li>
          ))}
        </ol>
      )}
    </li>
  )
}

function healthOf(
  { publishedAt, findings }: Feed,
  { now, isPublic }: { readonly now: number; readonly isPublic: boolean },
): { readonly tone: Tone; readonly says: string } {
  if (!isPublic) return { tone: 'off', says: t('未公开') }
  if (publishedAt === null) return { tone: 'bad', says: t('未发布') }
  if (findings.length > 0) return { tone: 'bad', says: t('校验未通过，保留上一份') }
  if (now - publishedAt > gbfsStaleMs) return { tone: 'warn', says: t('数据过旧') }
  return { tone: 'good', says: t('正常') }
}
