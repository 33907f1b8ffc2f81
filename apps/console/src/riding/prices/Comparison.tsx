import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import type { PriceRules } from '@saddle/contract/riding/price.ts'
import { priceEndpoints } from '@saddle/contract/riding/prices.ts'
import { money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpointMutation } from '#kit/query.ts'

interface Props {
  readonly areaId: number
  readonly areaName: string
  readonly rules: PriceRules
}

/** What the rules would have meant for the rides of the last month, before anybody is charged by them. */
export function Comparison({ areaId, areaName, rules }: Props): ReactNode {
  const asked = JSON.stringify(rules)
  const [of, setOf] = useState('')
  const { mutate, data, isPending } = useEndpointMutation(priceEndpoints.comparePrices)
  const found = of === asked ? data?.data : undefined
  const compare = () => {
    setOf(asked)
    mutate({ input: { areaId, rules } })
  }
  return (
    <div className="price-compare">
      <Button busy={isPending} onClick={compare}>
        {t('与最近一个月的骑行比较')}
      </Button>
      {found !== undefined && (
        <output>
          <p>
            {t(
              '{{area}} 的 {{rides}} 次骑行：实收 {{before}} 元，按新规则 {{after}} 元；{{dearer}} 次更贵，{{cheaper}} 次更便宜',
              {
                area: areaName,
                rides: found.rides,
                before: money(found.chargedCents),
                after: money(found.newCents),
                dearer: found.dearer,
                cheaper: found.cheaper,
              },
            )}
          </p>
          {found.examples.length > 0 && (
            <ul>
              {found.examples.map((ride) => (
                <li key={ride.orderId}>
                  <Link to={`/user-order-detail?order=${ride.orderId}`}>{ride.number}</Link> {money(ride.chargedCents)}{' '}
                  → {money(ride.newCents)}
                </li>
              ))}
            </ul>
          )}
        </output>
      )}
    </div>
  )
}
