import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import type { PriceRules } from '@saddle/contract/riding/price.ts'
import { priceEndpoints } from '@saddle/contract/riding/prices.ts'
import { useAction } from '#kit/action/useAction.ts'
import type { AnswerOf } from '#kit/api/client.ts'
import { money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'

interface Props {
  readonly areaIds: readonly number[]
  readonly rules: PriceRules
}

/** What the rules would have meant for the rides of the last month, before anybody is charged by them. */
export function Comparison({ areaIds, rules }: Props): ReactNode {
  const asked = JSON.stringify([areaIds, rules])
  const [answer, setAnswer] = useState<{ readonly of: string; readonly found: Compared } | null>(null)
  const { send, isBusy } = useAction(priceEndpoints.comparePrices, {
    onDone: ({ data }, input) => setAnswer({ of: JSON.stringify([input.areaIds, input.rules]), found: data }),
  })
  return (
    <div className="price-compare">
      <Button busy={isBusy} onClick={() => send({ areaIds: [...areaIds], rules })}>
        {t('与最近一个月的骑行比较（{{count}} 个服务区）', { count: areaIds.length })}
      </Button>
      <output>{answer?.of === asked && <Found found={answer.found} />}</output>
    </div>
  )
}

type Compared = AnswerOf<typeof priceEndpoints.comparePrices>['data']

function Found({ found }: { found: Compared }) {
  if (found.rides === 0) return <p>{t('最近一个月没有可以比较的骑行')}</p>
  const change = found.newCents - found.currentCents
  const percent = found.currentCents === 0 ? null : (change / found.currentCents) * 100
  const sign = change > 0 ? '+' : ''
  return (
    <>
      <dl className="price-figures">
        <div>
          <dt>{t('现行版本')}</dt>
          <dd>{t('{{yuan}} 元', { yuan: money(found.currentCents) })}</dd>
        </div>
        <div>
          <dt>{t('新规则')}</dt>
          <dd>
            {t('{{yuan}} 元', { yuan: money(found.newCents) })}{' '}
            <small>
              {sign}
              {money(change)}
              {percent !== null && ` (${sign}${percent.toFixed(1)}%)`}
            </small>
          </dd>
        </div>
        <div>
          <dt>{t('当时实收')}</dt>
          <dd>{t('{{yuan}} 元', { yuan: money(found.chargedCents) })}</dd>
        </div>
        <div>
          <dt>{t('骑行次数')}</dt>
          <dd>{found.isCut ? t('最近 {{count}} 次', { count: found.rides }) : found.rides}</dd>
        </div>
        <div>
          <dt>{t('更贵')}</dt>
          <dd>{t('{{count}} 次', { count: found.dearer })}</dd>
        </div>
        <div>
          <dt>{t('更便宜')}</dt>
          <dd>{t('{{count}} 次', { count: found.cheaper })}</dd>
        </div>
      </dl>
      {found.examples.length > 0 && (
        <>
          <p>{t('变化最大的骑行')}</p>
          <ul>
            {found.examples.map((ride) => (
              <li key={ride.orderId}>
                <Link to={`/user-order-detail?order=${ride.orderId}`}>{ride.number}</Link> {money(ride.currentCents)} →{' '}
                {money(ride.newCents)}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}
