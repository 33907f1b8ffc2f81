import { useEffect, useRef, type ReactNode } from 'react'
import { priceRulesSchema, type PriceRules } from '@saddle/contract/riding/price.ts'
import { priceEndpoints } from '@saddle/contract/riding/prices.ts'
import { serverNow } from '#kit/clock.ts'
import type { Field } from '#kit/form/field.ts'
import { Form } from '#kit/form/Form.tsx'
import { LeaveGuard } from '#kit/form/LeaveGuard.tsx'
import { instantOf, moment } from '#kit/form/otherFields.tsx'
import { text } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'
import { Comparison } from './Comparison.tsx'
import { draftOf, rulesOf, type Draft } from './draft.ts'
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
  const { areas, name } = from
  const areaIds = areas.map(({ areaId }) => areaId)
  const count = areaIds.length
  const whole = useRef<HTMLElement>(null)
  useEffect(() => {
    // Newer browsers answer with a promise, which is no clean-up.
    whole.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <section ref={whole} className="page-card price-editor" aria-label={t('新的计价版本')}>
      <h2>{name === null ? t('首个计价版本') : t('新的计价版本，从“{{name}}”改起', { name })}</h2>
      <Form
        call={priceEndpoints.publishPriceVersion}
        about={areaIds.join()}
        fields={{
          name: text({ label: t('版本名称') }),
          validFrom: moment({ label: t('生效时间'), note: t('留空为立即生效'), isOptional: true }),
          rules: rulesField(from),
        }}
        adjust={({ validFrom }) => ({
          validFrom: { fault: (instantOf(validFrom) ?? Infinity) < serverNow() ? t('生效时间已经过去') : null },
        })}
        input={(values) => ({ areaIds, ...values })}
        submit={(known) =>
          known.validFrom === undefined
            ? t('为 {{count}} 个服务区发布，立即生效', { count })
            : t('为 {{count}} 个服务区发布', { count })
        }
        stale={[priceEndpoints.listPriceVersions]}
        done={({ data }) => t('已为 {{count}} 个服务区发布计价', { count: data.list.length })}
        onDone={onPublished}
        onClose={onClose}
      >
        {(_, isDirty) => (
          <>
            <LeaveGuard isDirty={isDirty} isKept />
            <p>{namesOf(areas)}</p>
          </>
        )}
      </Form>
    </section>
  )
}

/** All rules of a version as one field; what they mean stands below as soon as they can be read. */
function rulesField(from: Beginning): Field<Draft, PriceRules> {
  const read = (draft: Draft): PriceRules | null => {
    const parsed = priceRulesSchema.safeParse(rulesOf(draft, from.rules))
    return parsed.success ? parsed.data : null
  }
  return {
    label: t('计价规则'),
    isGroup: true,
    initial: draftOf(from.rules),
    read: (draft) => {
      const rules = read(draft)
      return rules === null ? { fault: t('请填写有效的数字；阶梯按分钟递增，时段要有名称和星期') } : { value: rules }
    },
    control: ({ value, onChange }) => (
      <div className="price-rules">
        <RuleFields draft={value} onChange={onChange} />
        <ImpactPreview areas={from.areas} rules={read(value)} />
      </div>
    ),
  }
}

/** What the rules mean for one ride and would have meant for the last month, before anybody is charged by them. */
function ImpactPreview({ areas, rules }: { readonly areas: Beginning['areas']; readonly rules: PriceRules | null }) {
  const [first] = areas
  if (rules === null || first === undefined) return null
  return (
    <>
      <Preview areaId={first.areaId} rules={rules} isPriced={first.isPriced} />
      {areas.some(({ isPriced }) => isPriced) && (
        <Comparison areaIds={areas.map(({ areaId }) => areaId)} rules={rules} />
      )}
    </>
  )
}

function namesOf(areas: Beginning['areas']): string {
  const names = areas.slice(0, namesShown).map(({ areaName }) => areaName)
  const rest = areas.length - names.length
  return rest > 0
    ? t('适用于 {{names}} 等 {{count}} 个服务区', { names: names.join(t('、')), count: areas.length })
    : t('适用于 {{names}}', { names: names.join(t('、')) })
}
