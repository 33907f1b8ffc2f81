import { useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { useNavigate } from 'react-router'
import { cardProductEndpoints, type CardProduct } from '@saddle/contract/finance/cardProducts.ts'
import { cardNameMax, type CardTerms } from '@saddle/contract/finance/cardTerms.ts'
import { agentEndpoints, type AgentOption } from '@saddle/contract/organisation/agents.ts'
import { areaEndpoints } from '@saddle/contract/organisation/areas.ts'
import { flag, select, type Option } from '#kit/form/choiceFields.tsx'
import { Form } from '#kit/form/Form.tsx'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { cardFields, hiddenFields, termsOf, termsSoFar } from './fields.ts'
import { MallPhone } from './MallPhone.tsx'
import { PastWeeks } from './PastWeeks.tsx'
import { mallPath, staleMall } from './words.ts'
import './mall.css'

interface Area extends Option<number> {
  readonly agentId: number
}

/** Makes a card, from nothing or from another one, or changes it. */
export function ProductForm({ id, from }: { readonly id: number | null; readonly from: number | null }): ReactNode {
  const source = id ?? from ?? 0
  const areas = useEndpoint(areaEndpoints.listServiceAreas, {}, { staleMs: 300_000 })
  const companies = useEndpoint(agentEndpoints.listAgentAccounts, {}, { staleMs: 300_000 })
  const filter = { id: source }
  const found = useEndpoint(cardProductEndpoints.listCardProducts, { filter, pageSize: 1 }, { enabled: source > 0 })
  const error = areas.error ?? companies.error ?? found.error
  if (error !== null) return <ErrorState error={error} onRetry={() => void areas.refetch()} />
  if (areas.data === undefined || companies.data === undefined || (source > 0 && found.data === undefined)) {
    return <Loading />
  }
  const offered = areas.data.data.list.map((area) => ({ value: area.id, label: area.name, agentId: area.agentId }))
  const of = found.data?.data.list[0] ?? null
  return (
    <div className="page">
      <header className="page-head">
        <h1>{id === null ? t('新增卡') : t('修改“{{name}}”', { name: of?.name ?? '' })}</h1>
      </header>
      {id !== null && of !== null ? (
        <Change of={of} areas={offered} />
      ) : (
        <Create of={of} areas={offered} companies={companies.data.data.rows} />
      )}
    </div>
  )
}

interface SideProps {
  readonly agentId: number | null
  readonly terms: CardTerms | null
  readonly left: number | null
}

/** Beside the form: the card on a phone, and what it would have done. */
function Side({ agentId, terms, left }: SideProps) {
  return (
    <>
      {terms === null ? <p>{t('填写完整后在此预览')}</p> : <MallPhone cards={[{ id: 0, terms, left }]} />}
      <PastWeeks agentId={agentId} terms={terms} />
    </>
  )
}

interface CreateProps {
  readonly of: CardProduct | null
  readonly areas: readonly Area[]
  readonly companies: readonly AgentOption[]
}

function Create({ of, areas, companies }: CreateProps) {
  const navigate = useNavigate()
  const [side, setSide] = useState<HTMLElement | null>(null)
  const copied = of === null ? null : { ...of.terms, name: t('{{name}} 副本', { name: of.name }).slice(0, cardNameMax) }
  const own = cardFields(copied, areas)
  const fields = {
    agentId: select<number>({
      label: t('加盟商'),
      options: companies.map(({ agentId, company }) => ({ value: agentId, label: company })),
      initial: of?.agentId ?? areas[0]?.agentId ?? null,
    }),
    ...own,
    isDraft: flag({ label: t('上架'), initial: false, says: t('先存为草稿，暂不上架') }),
  }
  return (
    <div className="mall-form">
      <Form
        call={cardProductEndpoints.createCardProduct}
        about={of?.id ?? 'new'}
        fields={fields}
        adjust={hiddenFields}
        input={({ agentId, isDraft, ...values }) => ({ agentId, isDraft, terms: termsOf(values) })}
        submit={({ isDraft }) => (isDraft === true ? t('存为草稿') : t('新增并上架'))}
        stale={staleMall}
        done={() => t('已新增卡')}
        onDone={() => void navigate(mallPath)}
        onClose={() => void navigate(mallPath)}
      >
        {(values) => {
          const terms = termsSoFar(own, values)
          const left = terms?.stock ?? null
          return side !== null && createPortal(<Side agentId={values.agentId} terms={terms} left={left} />, side)
        }}
      </Form>
      <aside ref={setSide} className="mall-side" aria-label={t('预览')} />
    </div>
  )
}

function Change({ of, areas }: { of: CardProduct; areas: readonly Area[] }) {
  const navigate = useNavigate()
  const [side, setSide] = useState<HTMLElement | null>(null)
  const fields = cardFields(
    of.terms,
    areas.filter(({ agentId }) => agentId === of.agentId),
  )
  return (
    <div className="mall-form">
      <Form
        call={cardProductEndpoints.changeCardProduct}
        about={of.id}
        fields={fields}
        adjust={(values) => ({ ...hiddenFields(values), kind: { isHidden: true } })}
        input={(values) => ({ id: of.id, version: of.version, terms: termsOf(values) })}
        submit={t('保存为版本 {{version}}', { version: of.version + 1 })}
        stale={staleMall}
        done={() => t('已保存，已售出的卡不变')}
        onDone={() => void navigate(mallPath)}
        onClose={() => void navigate(mallPath)}
      >
        {(values) => {
          const terms = termsSoFar(fields, values)
          const stock = terms?.stock ?? null
          const left = stock === null ? null : Math.max(0, stock - of.sold)
          return side !== null && createPortal(<Side agentId={of.agentId} terms={terms} left={left} />, side)
        }}
      </Form>
      <aside ref={setSide} className="mall-side" aria-label={t('预览')} />
    </div>
  )
}
