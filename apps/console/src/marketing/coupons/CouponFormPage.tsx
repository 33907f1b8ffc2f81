import type { ReactNode } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { couponEndpoints, type CouponTemplate } from '@saddle/contract/marketing/coupons.ts'
import { agentEndpoints, type AgentOption } from '@saddle/contract/organisation/agents.ts'
import { areaEndpoints } from '@saddle/contract/organisation/areas.ts'
import { select, type Option } from '#kit/form/choiceFields.tsx'
import { Form } from '#kit/form/Form.tsx'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { couponFields, hiddenFields, termsOf, termsSoFar } from './couponFields.ts'
import { CouponPreview } from './CouponPreview.tsx'
import { staleCoupons } from './words.ts'
import '../activities/activities.css'
import './coupons.css'

interface Area extends Option<number> {
  readonly agentId: number
}

/** Makes a kind of coupon, from nothing or from another one, or changes it. */
export default function CouponFormPage(): ReactNode {
  const [search] = useSearchParams()
  const changed = search.get('id')
  const source = Number(changed ?? search.get('from') ?? 0)
  const areas = useEndpoint(areaEndpoints.listServiceAreas, {}, { staleMs: 300_000 })
  const companies = useEndpoint(agentEndpoints.listAgentAccounts, {}, { staleMs: 300_000 })
  const filter = { id: source }
  const found = useEndpoint(couponEndpoints.listCouponTemplates, { filter, pageSize: 1 }, { enabled: source > 0 })
  const error = areas.error ?? companies.error ?? found.error
  if (error !== null) return <ErrorState error={error} onRetry={() => void areas.refetch()} />
  if (areas.data === undefined || companies.data === undefined || (source > 0 && found.data === undefined))
    return <Loading />
  const offered = areas.data.data.list.map(({ id, name, agentId }) => ({ value: id, label: name, agentId }))
  const of = found.data?.data.list[0] ?? null
  return (
    <div className="page activity-form">
      <header className="page-head">
        <h1>{changed === null ? t('新增优惠券') : t('修改优惠券')}</h1>
      </header>
      {changed !== null && of !== null ? (
        <Change of={of} areas={offered} />
      ) : (
        <Create of={of} areas={offered} companies={companies.data.data.rows} />
      )}
    </div>
  )
}

const back = '/marketing/coupon'

interface CreateProps {
  readonly of: CouponTemplate | null
  readonly areas: readonly Area[]
  readonly companies: readonly AgentOption[]
}

function Create({ of, areas, companies }: CreateProps) {
  const navigate = useNavigate()
  const copied = of === null ? null : { ...of.terms, name: t('{{name}} 副本', { name: of.name }).slice(0, 40) }
  const own = couponFields(copied, areas)
  const fields = {
    agentId: select<number>({
      label: t('加盟商'),
      options: companies.map(({ agentId, company }) => ({ value: agentId, label: company })),
      initial: of?.agentId ?? areas[0]?.agentId ?? null,
    }),
    ...own,
  }
  return (
    <Form
      call={couponEndpoints.createCouponTemplate}
      about={of?.id ?? 'new'}
      fields={fields}
      adjust={hiddenFields}
      input={({ agentId, ...values }) => ({ agentId, terms: termsOf(values) })}
      submit={t('新增优惠券')}
      stale={staleCoupons}
      done={() => t('已新增优惠券')}
      onDone={() => void navigate(back)}
      onClose={() => void navigate(back)}
    >
      {(values) => <CouponPreview agentId={values.agentId ?? 0} terms={termsSoFar(own, values)} areas={areas} />}
    </Form>
  )
}

function Change({ of, areas }: { of: CouponTemplate; areas: readonly Area[] }) {
  const navigate = useNavigate()
  const own = areas.filter(({ agentId }) => agentId === of.agentId)
  const fields = couponFields(of.terms, own)
  return (
    <Form
      call={couponEndpoints.changeCouponTemplate}
      about={of.id}
      fields={fields}
      adjust={hiddenFields}
      input={(values) => ({ id: of.id, version: of.version, terms: termsOf(values) })}
      submit={t('保存优惠券')}
      stale={staleCoupons}
      done={() => t('已保存，新发放的按新规则')}
      onDone={() => void navigate(back)}
      onClose={() => void navigate(back)}
    >
      {(values) => <CouponPreview agentId={of.agentId} terms={termsSoFar(fields, values)} areas={own} />}
    </Form>
  )
}
