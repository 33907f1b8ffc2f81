import { useEffect, useState, type ReactNode } from 'react'
import type { Language } from '@saddle/contract/constants.ts'
import { businessOffsetMs, secondMs } from '@saddle/contract/time.ts'
import { screenStaleMs } from '@saddle/contract/reports/screens.ts'
import { serverNow } from '#kit/clock.ts'
import { t, useLanguage } from '#kit/i18n/index.ts'
import { Rolling } from './Rolling.tsx'
import { useTurn } from './useTurn.ts'
import { changeOf, countText, shareText } from './words.ts'

interface HeaderProps {
  readonly title: string
  readonly company: string
  /** When the shown answer was made; null: none has come yet. */
  readonly at: number | null
  readonly isLost: boolean
  readonly children?: ReactNode
}

/** Name, title, clock, and how old the figures are. */
export function WallHeader({ title, company, at, isLost, children }: HeaderProps): ReactNode {
  const now = useSeconds()
  const language = useLanguage()
  return (
    <header className="wall-header">
      <div className="wall-brand">
        <b>{company}</b>
        {children}
      </div>
      <h1>{title}</h1>
      <div className="wall-time">
        <Age at={at} now={now} isLost={isLost} />
        <time>
          <small>{dayText(now, language)}</small>
          {clockText(now)}
        </time>
      </div>
    </header>
  )
}

function useSeconds(): number {
  const [now, setNow] = useState(() => serverNow())
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), secondMs)
    return () => clearInterval(timer)
  }, [])
  return now
}

function Age({ at, now, isLost }: { readonly at: number | null; readonly now: number; readonly isLost: boolean }) {
  if (at === null)
    return (
      <span className="wall-age" data-state="waiting">
        {isLost ? t('正在重新连接') : t('正在读取数据')}
      </span>
    )
  const ageMs = Math.max(0, now - at)
  if (isLost || ageMs > screenStaleMs) {
    return (
      <output className="wall-age" data-state="lost">
        {t('连接中断，显示 {{time}} 的数据', { time: clockText(at) })}
      </output>
    )
  }
  return <span className="wall-age">{t('数据更新于 {{count}} 秒前', { count: Math.round(ageMs / secondMs) })}</span>
}

const inBusinessZone = (at: number): Date => new Date(at + businessOffsetMs)
const clockText = (at: number): string => inBusinessZone(at).toISOString().slice(11, 19)
function dayText(at: number, language: Language): string {
  return inBusinessZone(at).toLocaleDateString(language === 'en' ? 'en' : 'zh-CN', {
    timeZone: 'UTC',
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    weekday: 'long',
  })
}

export function Panel({
  title,
  note,
  children,
  className = '',
}: {
  readonly title: string
  readonly note?: ReactNode
  readonly children: ReactNode
  readonly className?: string
}): ReactNode {
  return (
    <section className={`wall-panel ${className}`}>
      <header>
        <h2>{title}</h2>
        {note !== undefined && <small>{note}</small>}
      </header>
      {children}
    </section>
  )
}

interface ChangeProps {
  readonly now: number | null | undefined
  readonly before: number | null | undefined
  /** More of it is worse. */
  readonly isBad?: boolean
}

/** By how much a figure differs from last week's, in per cent. */
export function Change({ now, before, isBad = false }: ChangeProps): ReactNode {
  const change = changeOf(now, before)
  if (change === null) return <i className="wall-change">{'—'}</i>
  const tone = change === 0 ? 'same' : change > 0 === isBad ? 'bad' : 'good'
  const sign = change === 0 ? '＝' : change > 0 ? '▲' : '▼'
  return (
    <i className="wall-change" data-tone={tone}>
      {`${sign} ${shareText(Math.abs(change))}`}
    </i>
  )
}

interface FigureProps extends ChangeProps {
  readonly title: string
  readonly value: number | null | undefined
  readonly format: (value: number | null) => string
  readonly unit?: string
  readonly isLarge?: boolean
}

/** A figure of today and how it compares with last week at the same hour. */
export function Figure({
  title,
  value,
  format,
  unit = '',
  isLarge = false,
  now,
  before,
  isBad,
}: FigureProps): ReactNode {
  // English writes the sign of a currency before the amount.
  const isSign = unit === '¥'
  return (
    <div className="wall-figure" data-large={isLarge}>
      <span>{title}</span>
      <strong>
        {isSign && <small data-side="before">{unit}</small>}
        <Rolling value={value} format={format} />
        {!isSign && unit !== '' && <small>{unit}</small>}
      </strong>
      <Change now={now} before={before} {...(isBad !== undefined && { isBad })} />
    </div>
  )
}

export interface RankRow {
  readonly name: string
  readonly value: number
  /** Until the full hour up to which both days are compared. */
  readonly until: number
  readonly lastWeekUntil: number
  readonly note: string
}

interface RankingProps {
  readonly rows: readonly RankRow[]
  readonly size: number
  readonly format: (value: number | null) => string
}

const turnMs = 12_000

/** Rows by rank, a page at a time. */
export function Ranking({ rows, size, format }: RankingProps): ReactNode {
  const pages = Math.ceil(rows.length / size)
  const page = useTurn(pages, turnMs)
  const top = Math.max(1, ...rows.map(({ value }) => value))
  if (rows.length === 0) return <p className="wall-none">{t('暂无数据')}</p>
  return (
    <>
      <ol className="wall-ranking" start={page * size + 1}>
        {rows.slice(page * size, (page + 1) * size).map((row, index) => (
          <li key={row.name}>
            <em data-top={page === 0 && index < 3}>{page * size + index + 1}</em>
            <span>
              <b>{row.name}</b>
              <small>{row.note}</small>
            </span>
            <strong>{format(row.value)}</strong>
            <Change now={row.until} before={row.lastWeekUntil} />
            <u style={{ transform: `scaleX(${Math.max(0, row.value) / top})` }} />
          </li>
        ))}
      </ol>
      <Dots pages={pages} page={page} />
    </>
  )
}

export function Dots({ pages, page }: { readonly pages: number; readonly page: number }): ReactNode {
  if (pages < 2) return null
  return (
    <p className="wall-dots" aria-hidden="true">
      {Array.from({ length: pages }, (_, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a dot is its place
        <i key={index} data-on={index === page} />
      ))}
    </p>
  )
}

/** One of the counts of a strip, with a mark that differs by shape too. */
export function Count({
  mark,
  title,
  value,
}: {
  readonly mark: ReactNode
  readonly title: string
  readonly value: number
}) {
  return (
    <div className="wall-count">
      <span>
        {mark}
        {title}
      </span>
      <strong>
        <Rolling value={value} format={countText} />
      </strong>
    </div>
  )
}
