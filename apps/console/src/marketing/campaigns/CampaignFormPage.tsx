import type { ReactNode } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { campaignEndpoints, type Campaign } from '@saddle/contract/marketing/campaigns.ts'
import { couponEndpoints, type CouponTemplate } from '@saddle/contract/marketing/coupons.ts'
import { segmentEndpoints, type Segment } from '@saddle/contract/marketing/segments.ts'
import { Form } from '#kit/form/Form.tsx'
import type { Values } from '#kit/form/field.ts'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'
import { PhoneCard, PhoneFrame } from '#kit/ui/PhoneFrame.tsx'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { effectText, validText } from '../coupons/words.ts'
import { campaignFields, hiddenFields, termsOf, type CampaignForm, type CampaignOffers } from './campaignFields.ts'
import { staleCampaigns } from './words.ts'
import '../activities/activities.css'

const back = '/marketing/campaign'
const offeredMax = 200

/** Makes a campaign, from nothing or from another one, or changes one that has not started. */
export default function CampaignFormPage(): ReactNode {
  const [search] = useSearchParams()
  const changed = search.get('id')
  const source = Number(changed ?? search.get('from') ?? 0)
  const asked = { filter: { states: ['on' as const] }, pageSize: offeredMax }
  const segments = useEndpoint(segmentEndpoints.listSegments, asked)
  const templates = useEndpoint(couponEndpoints.listCouponTemplates, asked)
  const filter = { id: source }
  const found = useEndpoint(campaignEndpoints.listCampaigns, { filter, pageSize: 1 }, { enabled: source > 0 })
  const error = segments.error ?? templates.error ?? found.error
  if (error !== null) return <ErrorState error={error} onRetry={() => void segments.refetch()} />
  if (segments.data === undefined || templates.data === undefined || (source > 0 && found.data === undefined))
    return <Loading />
  const of = found.data?.data.list[0] ?? null
  const chosen = Number(search.get('segment') ?? 0)
  const given = { segments: segments.data.data.list, templates: templates.data.data.list }
  return (
    <div className="page activity-form">
      <header className="page-head">
        <h1>{changed === null ? t('新增推送') : t('修改推送')}</h1>
      </header>
      {given.segments.length === 0 ? (
        <p>{t('请先新增一个人群')}</p>
      ) : (
        <CampaignForms
          key={source}
          of={of}
          isChange={changed !== null}
          given={given}
          chosen={chosen === 0 ? null : chosen}
        />
      )}
    </div>
  )
}

interface Given {
  readonly segments: readonly Segment[]
  readonly templates: readonly CouponTemplate[]
}
interface Props {
  readonly of: Campaign | null
  readonly isChange: boolean
  readonly given: Given
  readonly chosen: number | null
}

function CampaignForms({ of, isChange, given, chosen }: Props) {
  const navigate = useNavigate()
  const agentId = of?.agentId ?? null
  const segments = given.segments.filter((one) => !isChange || one.agentId === agentId)
  const offers: CampaignOffers = {
    segments: segments.map(({ id, name, size }) => ({
      value: id,
      label: size === null ? name : t('{{name}}（{{count}} 人）', { name, count: size }),
    })),
    templates: given.templates.map(({ id, name }) => ({ value: id, label: name })),
    segmentId: chosen,
  }
  const copied = of === null ? null : { ...of.terms, name: t('{{name}} 副本', { name: of.name }).slice(0, 40) }
  const fields = campaignFields(isChange ? (of?.terms ?? null) : copied, offers)
  const agentOf = (segmentId: number): number => given.segments.find(({ id }) => id === segmentId)?.agentId ?? 0
  const ends = { onDone: () => void navigate(back), onClose: () => void navigate(back) }
  const preview = (values: Values<CampaignForm>) => (
    <aside className="activity-aside">
      <Preview values={values} templates={given.templates} />
    </aside>
  )
  return isChange && of !== null ? (
    <Form
      call={campaignEndpoints.changeCampaign}
      about={of.id}
      fields={fields}
      adjust={hiddenFields}
      input={(values) => ({ id: of.id, version: of.version, terms: termsOf(values) })}
      submit={t('保存推送')}
      stale={staleCampaigns}
      done={() => t('已保存推送')}
      {...ends}
    >
      {preview}
    </Form>
  ) : (
    <Form
      call={campaignEndpoints.createCampaign}
      about={of?.id ?? 'new'}
      fields={fields}
      adjust={hiddenFields}
      input={(values) => ({ agentId: agentOf(values.segmentId), terms: termsOf(values) })}
      submit={t('保存为草稿')}
      stale={staleCampaigns}
      done={() => t('已保存为草稿，启动后开始发送')}
      {...ends}
    >
      {preview}
    </Form>
  )
}

/** What a rider gets, as the application shows it. */
function Preview({ values, templates }: { values: Values<CampaignForm>; templates: readonly CouponTemplate[] }) {
  const template = templates.find(({ id }) => id === values.templateId)
  if (values.channel === 'coupon') {
    return (
      <PhoneFrame title={t('我的优惠券')}>
        {template === undefined ? (
          <p>{t('填写后在此预览')}</p>
        ) : (
          <PhoneCard title={template.name} lines={[effectText(template.terms), validText(template.terms)]} />
        )}
      </PhoneFrame>
    )
  }
  return (
    <PhoneFrame title={t('消息')}>
      {values.title === '' && values.body === '' ? (
        <p>{t('填写后在此预览')}</p>
      ) : (
        <PhoneCard title={values.title} lines={[values.body]} />
      )}
    </PhoneFrame>
  )
}
