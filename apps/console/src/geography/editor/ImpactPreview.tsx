import { useMemo, type ReactNode } from 'react'
import { Link } from 'react-router'
import type { Fence, FenceKind } from '@saddle/contract/geography/fences.ts'
import { fenceManageEndpoints, type FenceDraft, type FenceEffect } from '@saddle/contract/geography/manage.ts'
import { returnKindLabels, returnKinds } from '@saddle/contract/riding/price.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'
import { useLater } from '#kit/useLater.ts'
import { kindWord } from '../fences/words.ts'

interface Props {
  readonly kind: FenceKind
  readonly areaId: number
  readonly lineId: number | null
  readonly drafts: readonly FenceDraft[]
  readonly joined: readonly Fence[]
}

const days = 7
const grouped = (count: number): string => count.toLocaleString('en-US')

/** What saving would mean: whom the fence meets, and which of last week's returns it would have changed. */
export function ImpactPreview({ kind, areaId, lineId, drafts, joined }: Props): ReactNode {
  const key = JSON.stringify([kind, areaId, lineId, drafts, joined.map((fence) => fence.lineId)])
  const plan = useMemo(
    () => ({
      areaId,
      kind,
      drafts: drafts.map((draft, index) => ({ ...draft, lineId: index === 0 ? lineId : null })),
      removes: joined.map((fence) => fence.lineId),
    }),
    // The text says all that the plan consists of.
    // oxlint-disable-next-line react/exhaustive-deps
    [key],
  )
  const asked = useLater(plan)
  const isSettled = asked === plan
  const check = useEndpoint(fenceManageEndpoints.checkElectricFences, asked, { quiet: true, keepPrevious: true })
  const effect = useEndpoint(fenceManageEndpoints.fenceEffect, { ...asked, days }, { quiet: true, keepPrevious: true })
  const found = check.data?.data.list ?? []
  const isTaken = found.some(({ nameTaken }) => nameTaken)
  const isOutside = found.some(({ outside }) => outside !== 'none')
  const overlaps = [
    ...new Map(found.flatMap((one) => one.overlaps).map((one) => [`${one.kind} ${one.name}`, one])).values(),
  ]
  return (
    <section
      className="fences-impact"
      aria-live="polite"
      aria-busy={!isSettled || check.isFetching || effect.isFetching}
    >
      <h3>{t('保存前检查')}</h3>
      {isTaken && <Note tone="bad">{t('该服务区已有同名的围栏')}</Note>}
      {isOutside && (
        <Note tone="warn">
          {found.some(({ outside }) => outside === 'all') ? t('在服务区之外') : t('有一部分在服务区之外')}
        </Note>
      )}
      {overlaps.length > 0 && (
        <Note tone="warn">
          {t('与 {{names}} 重叠', { names: overlaps.map((one) => `${kindWord(one.kind)} ${one.name}`).join('、') })}
        </Note>
      )}
      {check.data !== undefined && !isTaken && !isOutside && overlaps.length === 0 && (
        <Note tone="good">{t('没有冲突')}</Note>
      )}
      {effect.data !== undefined && <Effect effect={effect.data.data} />}
    </section>
  )
}

function Note({ tone, children }: { readonly tone: 'good' | 'warn' | 'bad'; readonly children: ReactNode }): ReactNode {
  return (
    <p className="fences-note" data-tone={tone}>
      {children}
    </p>
  )
}

function Effect({ effect }: { readonly effect: FenceEffect }): ReactNode {
  const { returns, isCut, before, after, refused, charged, better, examples } = effect
  if (returns === 0) return <p className="fences-quiet">{t('近 7 天没有还车，无法预估影响')}</p>
  const changed = returnKinds.filter((kind) => before[kind] !== after[kind])
  const all = `${grouped(returns)}${isCut ? '+' : ''}`
  const counts = [
    refused > 0 && t('{{count}} 次会被拒绝还车', { count: grouped(refused) }),
    charged > 0 && t('{{count}} 次会由免费变为收费', { count: grouped(charged) }),
    better > 0 && t('{{count}} 次会由收费变为免费', { count: grouped(better) }),
  ].filter((words) => words !== false)
  const moved = changed.reduce((sum, kind) => sum + Math.max(0, before[kind] - after[kind]), 0)
  if (counts.length === 0 && moved > 0) {
    counts.push(t('{{count}} 次的判定会改变，收费与否不变', { count: grouped(moved) }))
  }
  return (
    <>
      {counts.length === 0 ? (
        <p>{t('按此改动，近 7 天的 {{returns}} 次还车结果都不变', { returns: all })}</p>
      ) : (
        <p>
          {t('按此改动，近 7 天的 {{returns}} 次还车中：', { returns: all })}
          <strong>{counts.join(t('，'))}</strong>
        </p>
      )}
      {changed.length > 0 && (
        <dl className="fences-facts">
          {changed.map((kind) => (
            <div key={kind}>
              <dt>{t(returnKindLabels[kind])}</dt>
              <dd>
                {before[kind]} → {after[kind]}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {examples.length > 0 && (
        <details className="fences-text">
          <summary>{t('受影响的还车')}</summary>
          <ul className="fences-examples">
            {examples.map((one) => (
              <li key={one.orderId}>
                <Link to={`/user-order-detail?order=${one.orderId}`}>{dateTime(one.at)}</Link>{' '}
                {t(returnKindLabels[one.before])} → {t(returnKindLabels[one.after])}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}
