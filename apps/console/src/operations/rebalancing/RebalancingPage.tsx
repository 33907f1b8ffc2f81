import { useEffect, type ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { areaEndpoints } from '@saddle/contract/organisation/areas.ts'
import { t } from '#kit/i18n/index.ts'
import { One } from '#kit/list/Choices.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Empty, ErrorState, Loading } from '#kit/ui/states.tsx'
import { DemandPanel } from './DemandPanel.tsx'
import { PlanPanel } from './PlanPanel.tsx'
import { ResultPanel } from './ResultPanel.tsx'
import '#kit/list/filter.css'
import '#kit/list/stateTabs.css'
import '../parts/work.css'
import './rebalancing.css'

const tabs = ['plan', 'demand', 'result'] as const
type Tab = (typeof tabs)[number]

/** Where vehicles will be wanted, what to carry there, and what that brought. */
export default function RebalancingPage(): ReactNode {
  const [params, setParams] = useSearchParams()
  const { data, error, refetch } = useEndpoint(areaEndpoints.listServiceAreas, {}, { staleMs: 300_000 })
  const areas = data?.data.list
  const tab: Tab = tabs.find((one) => one === params.get('tab')) ?? 'plan'
  const area = areas?.find(({ id }) => id === Number(params.get('area'))) ?? areas?.[0]
  const change = (part: Record<string, string>) =>
    setParams((old) => new URLSearchParams({ ...Object.fromEntries(old), ...part }), { replace: true })
  const words: Readonly<Record<Tab, string>> = { plan: t('调度方案'), demand: t('用车需求'), result: t('效果对照') }
  useEffect(() => {
    document.title = t('智能调度')
  }, [])
  return (
    <div className="page">
      <header className="page-head">
        <h1>{t('智能调度')}</h1>
        <nav className="state-tabs" aria-label={t('智能调度')}>
          {tabs.map((one) => (
            <button
              key={one}
              type="button"
              aria-current={one === tab ? 'page' : undefined}
              onClick={() => change({ tab: one })}
            >
              {words[one]}
            </button>
          ))}
        </nav>
        <One
          label={t('服务区')}
          value={area?.id}
          options={(areas ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(id) => id !== undefined && change({ area: String(id) })}
        />
      </header>
      {areas === undefined && error === null && <Loading />}
      {areas === undefined && error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {areas !== undefined && area === undefined && <Empty title={t('没有服务区')} />}
      {area !== undefined && tab === 'plan' && (
        <PlanPanel key={area.id} areaId={area.id} onAdopted={() => change({ tab: 'result' })} />
      )}
      {area !== undefined && tab === 'demand' && <DemandPanel key={area.id} areaId={area.id} />}
      {area !== undefined && tab === 'result' && <ResultPanel key={area.id} areaId={area.id} />}
    </div>
  )
}
