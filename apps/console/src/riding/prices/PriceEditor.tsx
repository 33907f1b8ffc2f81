import { useRef, useState, type ReactNode } from 'react'
import { priceRulesSchema, type PriceRules } from '@saddle/contract/riding/price.ts'
import { priceEndpoints, priceVersionNameMax, type PriceVersion } from '@saddle/contract/riding/prices.ts'
import { serverNow } from '#kit/clock.ts'
import { t } from '#kit/i18n/index.ts'
import { isTryOver, newIdempotencyKey } from '#kit/idempotency.ts'
import { notify } from '#kit/notify.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpointMutation } from '#kit/query.ts'
import { Comparison } from './Comparison.tsx'
import { draftOf, rulesOf, startOf } from './draft.ts'
import { RuleFields } from './RuleFields.tsx'

interface Props {
  readonly from: PriceVersion
  readonly areaIds: readonly number[]
  readonly onClose: () => void
  readonly onPublished: () => void
}

/** A new version, begun from the one in force: its rules, what they would have meant last month, and when it begins. */
export function PriceEditor({ from, areaIds, onClose, onPublished }: Props): ReactNode {
  const [draft, setDraft] = useState(() => draftOf(from.rules))
  const [name, setName] = useState('')
  const [start, setStart] = useState('')
  const key = useRef(newIdempotencyKey())
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
    const input = {
      areaIds: [...areaIds],
      name: name.trim(),
      rules,
      ...(startsAt !== undefined && { validFrom: startsAt }),
    }
    send.mutate(
      { input, idempotencyKey: key.current },
      {
        onError: (failure) => {
          if (isTryOver(failure)) key.current = newIdempotencyKey()
        },
      },
    )
  }
  return (
    <section className="page-card price-editor" aria-label={t('新的计价版本')}>
      <h2>{t('新的计价版本，从“{{name}}”改起', { name: from.name })}</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          publish()
        }}
      >
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
        {rules !== null && <Comparison areaId={from.areaId} areaName={from.areaName} rules={rules} />}
        <div className="price-foot">
          <Button onClick={onClose}>{t('取消')}</Button>
          <Button type="submit" look="primary" busy={send.isPending} disabled={!isReady}>
            {t('为 {{count}} 个服务区发布', { count: areaIds.length })}
          </Button>
        </div>
      </form>
    </section>
  )
}

function checked(rules: PriceRules | null): PriceRules | null {
  const parsed = priceRulesSchema.safeParse(rules)
  return parsed.success ? parsed.data : null
}
