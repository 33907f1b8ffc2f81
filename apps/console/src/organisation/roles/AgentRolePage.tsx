import Select from 'antd/es/select'
import { useId, type ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { companyEndpoints } from '@saddle/contract/organisation/companies.ts'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'
import { useSession } from '#kit/session/store.ts'
import { idOf } from '../parts/link.ts'
import '../companies/company.css'
import { agentRoles } from './roles.ts'
import { NewRole, RoleDetailScreen } from './RoleScreens.tsx'

/** A role of a franchisee: one that exists (`id`), or a new one for `agentId`, empty or as a copy of `from`. */
export default function AgentRolePage(): ReactNode {
  const [query, setQuery] = useSearchParams()
  const id = idOf(query.get('id'))
  const from = idOf(query.get('from'))
  const agentId = idOf(query.get('agentId'))
  if (id !== null) return <RoleDetailScreen key={id} source={agentRoles} id={id} />
  const choose = (next: number): void =>
    setQuery((before) => {
      const changed = new URLSearchParams(before)
      changed.set('agentId', String(next))
      return changed
    })
  if (agentId === null) {
    return (
      <div className="page">
        <header className="page-head">
          <h1>{t('新增角色')}</h1>
        </header>
        <section className="page-card company-card">
          <CompanyChoice agentId={null} onChoose={choose} />
        </section>
      </div>
    )
  }
  return (
    <NewRole key={from ?? 'new'} source={agentRoles} from={from} agentId={agentId}>
      <CompanyChoice agentId={agentId} onChoose={choose} />
    </NewRole>
  )
}

interface ChoiceProps {
  readonly agentId: number | null
  readonly onChoose: (agentId: number) => void
}

function CompanyChoice({ agentId, onChoose }: ChoiceProps) {
  const id = useId()
  const own = useSession()?.agentId
  const { data } = useEndpoint(companyEndpoints.agentTree, {})
  const options = (data?.data.list ?? [])
    .filter((node) => node.id !== own)
    .map((node) => ({ value: node.id, label: node.company }))
  return (
    <div className="company-line company-choice-line">
      <label htmlFor={id}>{t('所属加盟商')}</label>
      <Select
        id={id}
        showSearch={{ optionFilterProp: 'label' }}
        placeholder={t('请选择加盟商')}
        value={agentId}
        options={options}
        onChange={onChoose}
      />
      {agentId === null && <small>{t('先选定角色所属的加盟商')}</small>}
    </div>
  )
}
