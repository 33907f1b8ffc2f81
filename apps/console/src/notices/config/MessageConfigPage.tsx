import { useState, type ReactNode } from 'react'
import { agentEndpoints } from '@saddle/contract/organisation/agents.ts'
import { holdsPermission } from '@saddle/contract/permissions.ts'
import { t } from '#kit/i18n/index.ts'
import { One } from '#kit/list/Choices.tsx'
import { useEndpoint } from '#kit/query.ts'
import { usePermissions } from '#kit/session/permissions.ts'
import { Own } from '../inbox/Own.tsx'
import { useChosenCompany } from '../useChosenCompany.ts'
import { Deliveries } from './Deliveries.tsx'
import { Rules } from './Rules.tsx'
import { Setting } from './Setting.tsx'
import '#kit/list/filter.css'
import '#kit/list/stateTabs.css'
import '#kit/list/list.css'
import '../notices.css'

const tabs = ['own', 'rules', 'setting', 'log'] as const

/** One's own notices; for who manages them, who is told of what and by which channels, and what was sent. */
export default function MessageConfigPage(): ReactNode {
  const { held } = usePermissions()
  const [tab, setTab] = useState<(typeof tabs)[number]>('own')
  const canManage = holdsPermission(held, '0506')
  const titles = {
    own: t('我的消息'),
    rules: t('通知规则'),
    setting: t('免打扰与渠道'),
    log: t('发送记录'),
  } as const
  const { chosen, agentId, choose } = useChosenCompany()
  const { data: companies } = useEndpoint(
    agentEndpoints.listAgentAccounts,
    {},
    { staleMs: 300_000, quiet: true, enabled: canManage },
  )
  const options = (companies?.data.rows ?? []).map((row) => ({ value: row.agentId, label: row.company }))
  const isOfCompany = tab === 'rules' || tab === 'setting'
  return (
    <div className="page">
      <header className="page-head notice-head">
        <h1>{t('消息配置')}</h1>
        {isOfCompany && chosen === undefined && options.length > 1 && (
          <One label={t('加盟商（默认本公司）')} value={agentId} options={options} onChange={choose} />
        )}
      </header>
      {canManage && (
        <nav className="state-tabs" aria-label={t('内容')}>
          {tabs.map((one) => (
            <button key={one} type="button" aria-current={one === tab ? 'page' : undefined} onClick={() => setTab(one)}>
              {titles[one]}
            </button>
          ))}
        </nav>
      )}
      {tab === 'own' && <Own />}
      {tab === 'rules' && <Rules agentId={agentId} />}
      {tab === 'setting' && <Setting agentId={agentId} />}
      {tab === 'log' && <Deliveries />}
    </div>
  )
}
