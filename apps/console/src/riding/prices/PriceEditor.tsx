import { useRef, useState, type ReactNode } from 'react'
import { priceRulesSchema, type PriceRules } from '@saddle/contract/riding/price.ts'
import { priceEndpoints, priceVersionNameMax, type PriceVersion } from '@saddle/contract/riding/prices.ts'
import { serverNow } from '#kit/clock.ts'
import { t } from '#kit/i18n/index.ts'
import { newIdempotencyKey } from '#kit/idempotency.ts'
import { notify } from '#kit/notify.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpointMutation } from '#kit/query.ts'
import { Comparison } from './Comparison.tsx'
import { draftOf, rulesOf, startOf, type Draft } from './draft.ts'

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
          if (failure.status !== 0) key.current = newIdempotencyKey()
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
          <Fields draft={draft} onChange={setDraft} />
        </div>
        {rules === null && <p role="alert">{t('请填写有效的数字，阶梯按分钟递增')}</p>}
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

function Fields({ draft, onChange }: { draft: Draft; onChange: (draft: Draft) => void }) {
  const words: Readonly<Record<keyof Draft, string>> = {
    start: t('起步价（元）'),
    covered: t('起步价含（分钟）'),
    every: t('此后每（分钟）'),
    step: t('每段（元）'),
    cap: t('日封顶（元，留空为不封顶）'),
    free: t('免费时长（秒）'),
    outOfPlace: t('停车点外调度费（元）'),
    outsideArea: t('服务区外调度费（元）'),
    noStop: t('禁停区还车费（元，留空为不能还车）'),
  }
  const names = Object.keys(words) as (keyof Draft)[]
  return names.map((field) => (
    <label key={field}>
      {words[field]}
      <input
        className="filter-keyword"
        inputMode="decimal"
        value={draft[field]}
        onChange={(event) => onChange({ ...draft, [field]: event.target.value })}
      />
    </label>
  ))
}
