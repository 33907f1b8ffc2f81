import { useState, type ReactNode } from 'react'
import { feedEndpoints } from '@saddle/contract/feeds/publication.ts'
import { agentEndpoints } from '@saddle/contract/organisation/agents.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { t } from '#kit/i18n/index.ts'
import { One } from '#kit/list/Choices.tsx'
import { useEndpoint } from '#kit/query.ts'
import { useScope } from '#kit/session/scope.ts'
import { PartnerKeys, WebhookDeliveries, Webhooks } from '#partners/public.ts'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { Jurisdictions } from './mds/Jurisdictions.tsx'
import { Publication } from './publication/Publication.tsx'
import '#kit/list/filter.css'
import '#kit/list/list.css'
import './feeds.css'

/** The open interfaces of one company: keys of partners, what it publishes, in which state that is, and who reads it. */
export default function OpenInterfacesPage(): ReactNode {
  const { selection } = useScope()
  const [only, ...others] = selection.agentIds ?? []
  const chosen = others.length === 0 ? only : undefined
  const [asked, setAgentId] = useState<number | undefined>()
  const agentId = chosen ?? asked
  const { data: companies } = useEndpoint(agentEndpoints.listAgentAccounts, {}, { staleMs: 300_000, quiet: true })
  const { data, error, refetch } = useEndpoint(
    feedEndpoints.feedPublication,
    agentId === undefined ? {} : { agentId },
    { refetchIntervalMs: minuteMs / 2 },
  )
  const options = (companies?.data.rows ?? []).map((row) => ({ value: row.agentId, label: row.company }))
  const shown = data?.data
  return (
    <div className="page">
      <header className="page-head">
        <h1>{t('开放接口')}</h1>
        {chosen === undefined && options.length > 1 && (
          <One label={t('加盟商（默认本公司）')} value={agentId} options={options} onChange={setAgentId} />
        )}
      </header>
      {shown === undefined && error === null && <Loading />}
      {shown === undefined && error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {shown !== undefined && <PartnerKeys key={`keys ${shown.agentId}`} agentId={shown.agentId} />}
      {shown !== undefined && <Webhooks key={`webhooks ${shown.agentId}`} agentId={shown.agentId} />}
      {shown !== undefined && <Jurisdictions key={`mds ${shown.agentId}`} agentId={shown.agentId} />}
      {shown !== undefined && <Publication key={shown.agentId} shown={shown} />}
      {shown !== undefined && <WebhookDeliveries />}
    </div>
  )
}
