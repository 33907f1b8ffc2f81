import { useEffect, useRef, useState, type ReactNode } from 'react'
import { priceRulesSchema, type PriceRules } from '@saddle/contract/riding/price.ts'
import { priceEndpoints, priceVersionNameMax } from '@saddle/contract/riding/prices.ts'
import { serverNow } from '#kit/clock.ts'
import { t } from '#kit/i18n/index.ts'
import { isTryOver, newIdempotencyKey } from '#kit/idempotency.ts'
import { notify } from '#kit/notify.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpointMutation } from '#kit/query.ts'
import { Comparison } from './Comparison.tsx'
import { draftOf, rulesOf, startOf } from './draft.ts'
import { Preview } from './Preview.tsx'
import { RuleFields } from './RuleFields.tsx'

export interface Beginning {
  /** The version whose rules are changed; null: the first one of an area. */
  readonly name: string | null
  readonly rules: PriceRules
  readonly areas: readonly { readonly areaId: number; readonly areaName: string; readonly isPriced: boolean }[]
}

interface Props {
  readonly from: Beginning
  readonly onClose: () => void
  readonly onPublished: () => void
}

const namesShown = 6

/** A new version: its rules, what they would have meant last month and mean for one ride, and when it begins. */
export function PriceEditor({ from, onClose, onPublished }: Props): ReactNode {
  const { areas } = from
  const areaIds = areas.map(({ areaId }) => areaId)
  const [draft, setDraft] = useState(() => draftOf(from.rules))
  const [name, setName] = useState('')
  const [start, setStart] = useState('')
  const key = useRef(newIdempotencyKey())
  const whole = useRef<HTMLElement>(null)
  useEffect(() => {
    // Newer browsers answer with a promise, which is no clean-up.
    whole.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  const send = useEndpointMutation(priceEndpoints.publishPriceVersion, {
    invalidates: [priceEndpoints.listPriceVersions],
    onSuccess: ({ data }) => {
      notify.success({ text: t('已为 {{count}} 个服务区发布计价', { count: data.list.length }) })
      onPublished()
    },
  })
  const rules = checked(rulesOf(draft, from.rules))
  const startsAt = startOf(start)
  const isPast = startsAt !== undefined && startsAt < serverNow()
  const isReady = rules !== null && name.trim() !== '' && !isPast
  const publish = () => {
    if (rules === null || !isReady || send.isPending) return
    const input = { areaIds, name: name.trim(), rules, ...(startsAt !== undefined && { validFrom: startsAt }) }
    send.mutate(
      { input, idempotencyKey: key.current },
      {
        onError: (failure) => {
          if (isTryOver(failure)) key.current = newIdempotencyKey()
        },
      },
    )
  }
  const [first] = areas
  return (
    <section ref={whole} className="page-card price-editor" aria-label={t('新的计价版本')}>
      <h2>{from.name === null ? t('首个计价版本') : t('新的计价版本，从“{{name}}”改起', { name: from.name })}</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          publish()
        }}
      >
        <p className="price-areas">{namesOf(areas)}</p>
        <div className="price-fields">
          <label>
            {t('版本名称')}
            <input
              className="filter-keyword"
              value={name}
              maxLength={priceVersionNameMax}
              onChange={(event) => setName(event.target.value)}
            />
          </label>
          <label>
            {t('生效时间（留空为立即生效）')}
            <input
              className="filter-keyword"
              type="datetime-local"
              value={start}
              onChange={(event) => setStart(event.target.value)}
            />
          </label>
        </div>
        <RuleFields draft={draft} onChange={setDraft} />
        {rules === null && <p role="alert">{t('请填写有效的数字；阶梯按分钟递增，时段要有名称和星期')}</p>}
        {isPast && <p role="alert">{t('生效时间已经过去')}</p>}
        {rules !== null && first !== undefined && (
          <>
            <Preview areaId={first.areaId} rules={rules} isPriced={first.isPriced} />
            {areas.some(({ isPriced }) => isPriced) && <Comparison areaIds={areaIds} rules={rules} />}
          </>
        )}
        <div className="price-foot">
          <Button onClick={onClose}>{t('取消')}</Button>
          <Button type="submit" look="primary" busy={send.isPending} disabled={!isReady}>
            {startsAt === undefined
              ? t('为 {{count}} 个服务区发布，立即生效', { count: areaIds.length })
              : t('为 {{count}} 个服务区发布', { count: areaIds.length })}
          </Button>
        </div>
      </form>
    </section>
  )
}

function namesOf(areas: Beginning['areas']): string {
  const names = areas.slice(0, namesShown).map(({ areaName }) => areaName)
  const rest = areas.length - names.length
  return rest > 0
    ? t('适用于 {{names}} 等 {{count}} 个服务区', { names: names.join(t('、')), count: areas.length })
    : t('适用于 {{names}}', { names: names.join(t('、')) })
}

function checked(rules: PriceRules | null): PriceRules | null {
  const parsed = priceRulesSchema.safeParse(rules)
  return parsed.success ? parsed.data : null
}
