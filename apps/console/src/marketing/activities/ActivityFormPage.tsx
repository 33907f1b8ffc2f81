import type { ReactNode } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { activityCommonSchema, type Activity, type ActivityCommon } from '@saddle/contract/marketing/activities.ts'
import { agentEndpoints, type AgentOption } from '@saddle/contract/organisation/agents.ts'
import { areaEndpoints } from '@saddle/contract/organisation/areas.ts'
import { select, type Option } from '#kit/form/choiceFields.tsx'
import type { Fields, Inputs, Values } from '#kit/form/field.ts'
import { Form } from '#kit/form/Form.tsx'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { commonFields, commonOf, type CommonFields } from './commonFields.ts'
import type { AnyKindUi } from './kind.ts'
import { PastWeeks } from './PastWeeks.tsx'
import { PhoneFrame } from '#kit/ui/PhoneFrame.tsx'
import { staleOf } from './words.ts'
import './activities.css'

interface Area extends Option<number> {
  readonly agentId: number
}

/** Makes an activity of a kind, from nothing or from another one, or changes it. */
export function ActivityFormPage({ of }: { readonly of: AnyKindUi }): ReactNode {
  const [search] = useSearchParams()
  const changed = Number(search.get('form') ?? 0) || 0
  const source = changed || Number(search.get('from') ?? 0) || 0
  const areas = useEndpoint(areaEndpoints.listServiceAreas, {}, { staleMs: 300_000 })
  const companies = useEndpoint(agentEndpoints.listAgentAccounts, {}, { staleMs: 300_000 })
  const found = useEndpoint(of.calls.list, { filter: { id: source }, pageSize: 1 }, { enabled: source > 0 })
  const error = areas.error ?? companies.error ?? found.error
  if (error !== null) return <ErrorState error={error} onRetry={() => void areas.refetch()} />
  if (areas.data === undefined || companies.data === undefined || (source > 0 && found.data === undefined))
    return <Loading />
  const offered = areas.data.data.list.map(({ id, name, agentId }) => ({ value: id, label: name, agentId }))
  const [activity = null] = found.data?.data.list ?? []
  const title = changed === 0 ? t('新增活动') : t('修改活动')
  return (
    <div className="page activity-form">
      <header className="page-head">
        <h1>{title}</h1>
      </header>
      {changed > 0 && activity !== null ? (
        <Change of={of} activity={activity} areas={offered} />
      ) : (
        <Create of={of} source={activity} areas={offered} companies={companies.data.data.rows} />
      )}
    </div>
  )
}

type AnyActivity = Activity<object>

/** What a person sets of an activity, as one that is stored has it. */
const commonOfRow = (activity: AnyActivity): ActivityCommon => {
  const { name, areaIds, startsAt, endsAt, budgetCents, budgetUses, riderUses, riderDayUses, deviceUses } = activity
  const { bearer, partner, holdoutPercent } = activity
  const limits = { budgetCents, budgetUses, riderUses, riderDayUses, deviceUses }
  return { name, areaIds, startsAt, endsAt, ...limits, bearer, partner, holdoutPercent }
}
export { commonOfRow }

interface CreateProps {
  readonly of: AnyKindUi
  readonly source: AnyActivity | null
  readonly areas: readonly Area[]
  readonly companies: readonly AgentOption[]
}

function Create({ of, source, areas, companies }: CreateProps) {
  const navigate = useNavigate()
  const copied = source === null ? null : copyOf(source)
  const own = fieldsOf(of, { common: copied, terms: source?.terms ?? null, areas })
  const fields: Fields = {
    agentId: select<number>({
      label: t('加盟商'),
      options: companies.map(({ agentId, company }) => ({ value: agentId, label: company })),
      initial: source?.agentId ?? areas[0]?.agentId ?? null,
    }),
    ...own,
  }
  const back = () => void navigate(of.listPath)
  return (
    <Form
      call={of.calls.create}
      about={source?.id ?? 'new'}
      fields={fields}
      adjust={(values) => adjustmentsOf(of, values)}
      input={(values) => ({ agentId: values['agentId'], ...inputOf(of, values, source?.terms ?? null) })}
      submit={t('保存为草稿')}
      stale={staleOf(of)}
      done={() => t('已保存为草稿，启动后生效')}
      onDone={back}
      onClose={back}
    >
      {(values) => <Aside of={of} activity={activitySoFar({ of, fields, values, terms: source?.terms ?? null })} />}
    </Form>
  )
}

function copyOf(source: AnyActivity): ActivityCommon {
  const common = commonOfRow(source)
  return { ...common, name: t('{{name}} 副本', { name: common.name }).slice(0, 40) }
}

function Change({ of, activity, areas }: { of: AnyKindUi; activity: AnyActivity; areas: readonly Area[] }) {
  const navigate = useNavigate()
  const { id, agentId, version, terms } = activity
  const own = areas.filter((area) => area.agentId === agentId)
  const fields = fieldsOf(of, { common: commonOfRow(activity), terms, areas: own })
  const back = () => void navigate(of.listPath)
  return (
    <Form
      call={of.calls.change}
      about={id}
      fields={fields}
      adjust={(values) => adjustmentsOf(of, values)}
      input={(values) => ({ id, version, ...inputOf(of, values, terms) })}
      submit={t('保存')}
      stale={staleOf(of)}
      done={() => t('已保存，新版本立即生效')}
      onDone={back}
      onClose={back}
    >
      {(values) => {
        const sofar = activitySoFar({ of, fields, values, terms })
        return <Aside of={of} activity={sofar && { ...sofar, agentId }} />
      }}
    </Form>
  )
}

/** The name first, then the terms of the kind, then time and limits. */
function fieldsOf(
  of: AnyKindUi,
  from: {
    readonly common: ActivityCommon | null
    readonly terms: object | null
    readonly areas: readonly Option<number>[]
  },
): Fields {
  const { name, ...common } = commonFields(from.common, from.areas)
  return { name, ...of.fields(from.terms, { areas: from.areas }), ...common }
}

function adjustmentsOf(of: AnyKindUi, values: Values<Fields>) {
  return { partner: { isHidden: values['bearer'] !== 'partner' }, ...of.adjust?.(values) }
}

const inputOf = (of: AnyKindUi, values: Inputs<Fields>, terms: object | null) => ({
  // The fields of every form are among its values.
  common: commonOf(values as Inputs<CommonFields>),
  terms: of.termsOf(values, terms),
})

interface SoFar {
  readonly agentId: number
  readonly common: ActivityCommon
  readonly terms: object
}

/** The activity that what was typed until now amounts to; null while it is not whole. */
function activitySoFar(form: {
  readonly of: AnyKindUi
  readonly fields: Fields
  readonly values: Values<Fields>
  readonly terms: object | null
}): SoFar | null {
  const { of, fields, values } = form
  const known: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(fields)) {
    const read = field.read(values[name], { isRequired: false })
    if ('value' in read) known[name] = read.value
  }
  const { common, terms } = inputOf(of, known, form.terms)
  const readCommon = activityCommonSchema.safeParse(common)
  const readTerms = of.calls.create.input.shape.terms.safeParse(terms)
  if (!readCommon.success || !readTerms.success) return null
  return { agentId: (known['agentId'] as number | undefined) ?? 0, common: readCommon.data, terms: readTerms.data }
}

function Aside({ of, activity }: { readonly of: AnyKindUi; readonly activity: SoFar | null }) {
  return (
    <aside className="activity-aside">
      <PhoneFrame title={of.title()}>
        {activity === null ? <p>{t('填写后在此预览')}</p> : of.renderPhone(activity)}
      </PhoneFrame>
      <PastWeeks of={of} activity={activity} />
    </aside>
  )
}
