import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { FenceEffect } from '@saddle/contract/geography/manage.ts'
import { returnKindLabels, returnKinds } from '@saddle/contract/riding/price.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { number } from '#kit/number.ts'
import { returnOutcomes } from './returnOutcomes.ts'
import '../fences/fences.css'

/** What a change of fences would have meant for the returns of the last days. */
export function ReturnEffect({ effect }: { readonly effect: FenceEffect }): ReactNode {
  const { returns, isCut, before, after, examples } = effect
  if (returns === 0) return <p className="fences-quiet">{t('近 7 天没有还车，无法预估影响')}</p>
  const changed = returnKinds.filter((kind) => before[kind] !== after[kind])
  const all = `${number(returns)}${isCut ? '+' : ''}`
  const counts = returnOutcomes(effect)
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
