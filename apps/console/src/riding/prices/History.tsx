import { useEffect, useRef, type ReactNode } from 'react'
import { priceEndpoints, type ListedVersion } from '@saddle/contract/riding/prices.ts'
import { serverNow } from '#kit/clock.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Permit } from '#kit/ui/Permit.tsx'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { PriceRulesCard } from '../detail/PriceRulesCard.tsx'

interface Props {
  readonly areaId: number
  readonly onClose: () => void
  /** Begins a new version with the rules of this one. */
  readonly onBegin: (version: ListedVersion) => void
}

/** Every version of an area: what was, what is, what will be, and what was taken back. */
export function History({ areaId, onClose, onBegin }: Props): ReactNode {
  const { data, error, refetch } = useEndpoint(priceEndpoints.listPriceVersions, { areaId })
  const head = useRef<HTMLElement>(null)
  const list = data?.data.list
  const isThere = list !== undefined
  useEffect(() => {
    if (isThere) head.current?.scrollIntoView({ block: 'start' })
  }, [isThere])
  return (
    <section aria-label={t('全部版本')} ref={head}>
      <header className="price-history-head">
        <h2>{t('{{area}} 的全部版本', { area: list?.[0]?.areaName ?? '' })}</h2>
        <Button look="quiet" onClick={onClose}>
          {t('收起')}
        </Button>
      </header>
      {list === undefined ? (
        error === null ? (
          <Loading />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <div className="price-history">
          {list.map((version) => (
            <PriceRulesCard key={version.id} version={version} mark={markOf(version)}>
              <Permit action="1702">
                <Button look="quiet" onClick={() => onBegin(version)}>
                  {t('以此版本改起')}
                </Button>
              </Permit>
            </PriceRulesCard>
          ))}
        </div>
      )}
    </section>
  )
}

function markOf({ inForce, withdrawn, validFrom }: ListedVersion): string | null {
  if (withdrawn !== null) return t('{{by}} 于 {{at}} 撤回', { by: withdrawn.by, at: dateTime(withdrawn.at) })
  if (inForce) return t('现行')
  return validFrom > serverNow() ? t('尚未生效') : null
}
