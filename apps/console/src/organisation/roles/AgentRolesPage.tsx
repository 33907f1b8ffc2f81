import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { companyEndpoints } from '@saddle/contract/organisation/companies.ts'
import { t } from '#kit/i18n/index.ts'
import { ListCard } from '#kit/list/ListCard.tsx'
import { ButtonLink } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { useSession } from '#kit/session/store.ts'
import { Empty } from '#kit/ui/states.tsx'
import { useCompanyParam } from '../parts/useCompanyParam.ts'
import { TreePane } from '../tree/TreePane.tsx'
import { companyKey } from '../tree/tree.ts'
import { agentRoles } from './roles.ts'
import { useRoles } from './useRoles.tsx'

/** Roles of the franchisees below, of all of them or of one. */
export default function AgentRolesPage(): ReactNode {
  const [where, go] = useCompanyParam()
  const own = useSession()?.agentId
  const tree = useEndpoint(companyEndpoints.agentTree, {})
  const nodes = tree.data?.data.list
  const company = nodes?.find(({ id }) => id === where.agentId)
  return (
    <div className="page">
      <header className="page-head">
        <h1>{t('加盟商角色')}</h1>
      </header>
      <div className="tree-page">
        <TreePane
          label={t('加盟商')}
          nodes={nodes}
          error={tree.error}
          onRetry={() => void tree.refetch()}
          selected={where.agentId === null ? null : companyKey(where.agentId)}
          selectedLabel={company?.company ?? t('全部下级加盟商')}
          onSelect={(row) => go({ agentId: row.agentId, areaId: null })}
        />
        <div className="tree-main">
          {company?.id === own && company !== undefined ? (
            <section className="page-card">
              <Empty
                title={t('这是您所在的公司')}
                text={t('本公司的角色在“权限管理”中管理；选一家下级加盟商，即可管理它的角色。')}
                action={<ButtonLink to="/permissions/role">{t('前往角色管理')}</ButtonLink>}
              />
            </section>
          ) : (
            <Roles {...(company !== undefined && { agentId: company.id })} />
          )}
        </div>
      </div>
    </div>
  )
}

function Roles({ agentId }: { readonly agentId?: number }) {
  const { list, add, toRow, body, dialog } = useRoles(agentRoles, agentId)
  const navigate = useNavigate()
  return (
    <>
      <ListCard list={list} label={t('角色')} extra={add} onOpen={(row) => void navigate(toRow(row))} {...body} />
      {dialog}
    </>
  )
}
