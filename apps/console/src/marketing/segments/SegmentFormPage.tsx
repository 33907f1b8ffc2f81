import type { ReactNode } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { couponEndpoints } from '@saddle/contract/marketing/coupons.ts'
import { segmentEndpoints, type Segment } from '@saddle/contract/marketing/segments.ts'
import { agentEndpoints, type AgentOption } from '@saddle/contract/organisation/agents.ts'
import { areaEndpoints } from '@saddle/contract/organisation/areas.ts'
import { select } from '#kit/form/choiceFields.tsx'
import { Form } from '#kit/form/Form.tsx'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { hiddenFields, segmentFields, termsOf, termsSoFar, type SegmentOffers } from './segmentFields.ts'
import { SegmentSize } from './SegmentSize.tsx'
import { staleSegments } from './words.ts'
import '../activities/activities.css'
import './segments.css'

const back = '/marketing/segment'
const templatesMax = 200

/** Makes a segment, from nothing or from another one, or changes it. */
export default function SegmentFormPage(): ReactNode {
  const [search] = useSearchParams()
  const changed = search.get('id')
  const source = Number(changed ?? search.get('from') ?? 0)
  const companies = useEndpoint(agentEndpoints.listAgentAccounts, {}, { staleMs: 300_000 })
  const areas = useEndpoint(areaEndpoints.listServiceAreas, {}, { staleMs: 300_000, quiet: true })
  const filter = { id: source }
  const found = useEndpoint(segmentEndpoints.listSegments, { filter, pageSize: 1 }, { enabled: source > 0 })
  const error = companies.error ?? found.error
  if (error !== null) return <ErrorState error={error} onRetry={() => void companies.refetch()} />
  if (companies.data === undefined || areas.isPending || (source > 0 && found.data === undefined)) return <Loading />
  const { rows } = companies.data.data
  const of = found.data?.data.list[0] ?? null
  // The platform is a company too, but one without areas and riders.
  const first = of?.agentId ?? areas.data?.data.list[0]?.agentId ?? rows[0]?.agentId ?? null
  return (
    <div className="page activity-form segment-form">
      <header className="page-head">
        <h1>{changed === null ? t('新增人群') : t('修改人群')}</h1>
      </header>
      {first !== null && <Body key={source} of={of} isChange={changed !== null} companies={rows} agentId={first} />}
    </div>
  )
}

interface BodyProps {
  readonly of: Segment | null
  readonly isChange: boolean
  readonly companies: readonly AgentOption[]
  readonly agentId: number
}

function Body({ of, isChange, companies, agentId }: BodyProps) {
  const areas = useEndpoint(areaEndpoints.listServiceAreas, {}, { staleMs: 300_000, quiet: true })
  const templates = useEndpoint(couponEndpoints.listCouponTemplates, { pageSize: templatesMax }, { quiet: true })
  const tags = useEndpoint(segmentEndpoints.riderTags, { agentId }, { quiet: true })
  if (areas.data === undefined || templates.data === undefined || tags.data === undefined) return <Loading />
  const offers = {
    areas: areas.data.data.list.map(({ id, name }) => ({ value: id, label: name })),
    templates: templates.data.data.list.map(({ id, name }) => ({ value: id, label: name })),
    tags: tags.data.data.list.map(({ tag, riders }) => ({
      value: tag,
      label: t('{{name}}（{{count}} 人）', { name: tag, count: riders }),
    })),
  }
  return isChange && of !== null ? (
    <Change of={of} offers={offers} />
  ) : (
    <Create of={of} offers={offers} companies={companies} agentId={agentId} />
  )
}

function Create({ of, offers, companies, agentId }: Omit<BodyProps, 'isChange'> & { readonly offers: SegmentOffers }) {
  const navigate = useNavigate()
  const copied = of === null ? null : { ...of.terms, name: t('{{name}} 副本', { name: of.name }).slice(0, 40) }
  const own = segmentFields(copied, offers)
  const fields = {
    agentId: select<number>({
      label: t('加盟商'),
      options: companies.map(({ agentId: value, company }) => ({ value, label: company })),
      initial: agentId,
      width: 'half',
    }),
    ...own,
  }
  return (
    <Form
      call={segmentEndpoints.createSegment}
      about={of?.id ?? 'new'}
      fields={fields}
      adjust={hiddenFields}
      input={({ agentId: company, ...values }) => ({ agentId: company, terms: termsOf(values, of?.terms ?? null) })}
      submit={t('新增人群')}
      stale={staleSegments}
      done={({ data }) => t('已新增人群，{{count}} 人', { count: data.size })}
      onDone={() => void navigate(back)}
      onClose={() => void navigate(back)}
    >
      {(values) => <SegmentSize agentId={values.agentId} terms={termsSoFar(own, values, of?.terms ?? null)} />}
    </Form>
  )
}

function Change({ of, offers }: { readonly of: Segment; readonly offers: SegmentOffers }) {
  const navigate = useNavigate()
  const fields = segmentFields(of.terms, offers)
  return (
    <Form
      call={segmentEndpoints.changeSegment}
      about={of.id}
      fields={fields}
      adjust={hiddenFields}
      input={(values) => ({ id: of.id, version: of.version, terms: termsOf(values, of.terms) })}
      submit={t('保存人群')}
      stale={staleSegments}
      done={({ data }) => t('已保存人群，{{count}} 人', { count: data.size })}
      onDone={() => void navigate(back)}
      onClose={() => void navigate(back)}
    >
      {(values) => <SegmentSize agentId={of.agentId} terms={termsSoFar(fields, values, of.terms)} />}
    </Form>
  )
}
