import { useState, type ReactNode } from 'react'
import { priceEndpoints } from '@saddle/contract/riding/prices.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { One } from '#kit/list/Choices.tsx'
import { useEndpoint } from '#kit/query.ts'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { PriceLines } from './PriceLines.tsx'

interface Props {
  readonly orderId: number
  readonly areaId: number
  /** The version by which it was charged. */
  readonly versionId: number
}

/** What this ride would have cost by another version of its area. */
export function OtherVersion({ orderId, areaId, versionId }: Props): ReactNode {
  const { data } = useEndpoint(priceEndpoints.listPriceVersions, { areaId }, { quiet: true, staleMs: 300_000 })
  const [chosen, setChosen] = useState<number | undefined>(undefined)
  const others = (data?.data.list ?? []).filter(({ id }) => id !== versionId)
  if (others.length === 0) return null
  return (
    <div className="order-other">
      <One
        label={t('这次骑行按其他版本试算')}
        value={chosen}
        options={others.map(({ id, name, validFrom }) => ({ value: id, label: `${name} · ${dateTime(validFrom)}` }))}
        onChange={setChosen}
      />
      {chosen !== undefined && <Cost orderId={orderId} versionId={chosen} />}
    </div>
  )
}

function Cost({ orderId, versionId }: { orderId: number; versionId: number }) {
  const { data, error, refetch } = useEndpoint(priceEndpoints.itineraryCost, { orderId, versionId }, { quiet: true })
  const found = data?.data
  if (found === undefined) {
    return error === null ? <Loading /> : <ErrorState error={error} onRetry={() => void refetch()} />
  }
  const name = found.version?.name ?? ''
  return <PriceLines label={t('按“{{name}}”', { name })} lines={found.lines} totalCents={found.totalCents} />
}
