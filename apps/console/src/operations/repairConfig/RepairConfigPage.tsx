import { useState, type ReactNode } from 'react'
import { repairConfigEndpoints } from '@saddle/contract/operations/repairConfig.ts'
import { agentEndpoints } from '@saddle/contract/organisation/agents.ts'
import { t } from '#kit/i18n/index.ts'
import { One } from '#kit/list/Choices.tsx'
import { useEndpoint } from '#kit/query.ts'
import { useScope } from '#kit/session/scope.ts'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { Parts } from './Parts.tsx'
import { PayForm } from './PayForm.tsx'
import { Reasons } from './Reasons.tsx'
import '#kit/list/filter.css'
import '#kit/list/stateTabs.css'
import '#kit/list/list.css'
import '../parts/work.css'
import './repairConfig.css'

const tabs = ['reasons', 'parts', 'pay'] as const

/** Why vehicles are repaired, what is built in, and what the work pays: of one company at a time. */
export default function RepairConfigPage(): ReactNode {
  const [asked, setAgentId] = useState<number | undefined>()
  const { selection } = useScope()
  // One company in the head of the page is the company that is meant.
  const [only, ...others] = selection.agentIds ?? []
  const chosen = others.length === 0 ? only : undefined
  const agentId = chosen ?? asked
  const [tab, setTab] = useState<(typeof tabs)[number]>('reasons')
  const { data: companies } = useEndpoint(agentEndpoints.listAgentAccounts, {}, { staleMs: 300_000, quiet: true })
  const { data, error, refetch } = useEndpoint(
    repairConfigEndpoints.repairConfig,
    agentId === undefined ? {} : { agentId },
  )
  const config = data?.data
  const titles = { reasons: t('故障原因'), parts: t('配件与库存'), pay: t('任务报酬') } as const
  const options = (companies?.data.rows ?? []).map((row) => ({ value: row.agentId, label: row.company }))
  return (
    <div className="page">
      <header className="page-head">
        <h1>{t('维修配置')}</h1>
        {chosen === undefined && options.length > 1 && (
          <One label={t('加盟商（默认本公司）')} value={agentId} options={options} onChange={setAgentId} />
        )}
      </header>
      <nav className="state-tabs" aria-label={t('内容')}>
        {tabs.map((one) => (
          <button key={one} type="button" aria-current={one === tab ? 'page' : undefined} onClick={() => setTab(one)}>
            {titles[one]}
          </button>
        ))}
      </nav>
      {config === undefined && error === null && <Loading />}
      {config === undefined && error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {config !== undefined && tab === 'reasons' && <Reasons agentId={config.agentId} list={config.reasons} />}
      {config !== undefined && tab === 'parts' && <Parts agentId={config.agentId} list={config.parts} />}
      {config !== undefined && tab === 'pay' && (
        <PayForm key={config.agentId} agentId={config.agentId} list={config.pay} />
      )}
    </div>
  )
}
