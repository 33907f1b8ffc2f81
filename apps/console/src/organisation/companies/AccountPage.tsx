import { lazy, Suspense, type ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import { applicationEndpoints } from '@saddle/contract/organisation/applications.ts'
import { companyEndpoints, type AgentNode } from '@saddle/contract/organisation/companies.ts'
import { loadChunk } from '#kit/chunk.tsx'
import { t } from '#kit/i18n/index.ts'
import { ListCard } from '#kit/list/ListCard.tsx'
import { ButtonLink } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { usePermissions } from '#kit/session/permissions.ts'
import { useSession } from '#kit/session/store.ts'
import { Empty, Loading } from '#kit/ui/states.tsx'
import { agentAccounts } from '../people/people.ts'
import { usePeople } from '../people/usePeople.tsx'
import { TreePane } from '../tree/TreePane.tsx'
import { companyKey } from '../tree/tree.ts'
import { useCompanyParam } from '../parts/useCompanyParam.ts'
import { CompanyCard } from './CompanyCard.tsx'

const ApplicationsPage = lazy(() => loadChunk(() => import('../applications/ApplicationsPage.tsx')))
const path = '/agent/account-management'

/** Franchisees with their accounts, and the companies that ask to become one. */
export default function AccountPage(): ReactNode {
  const [query] = useSearchParams()
  const { held } = usePermissions()
  const own = useSession()?.agentId
  const tree = useEndpoint(companyEndpoints.agentTree, { withFigures: true }, { keepPrevious: true })
  // The platform's alone: the server says the same to a franchisee that holds the code.
  const isPlatform = tree.data?.data.list.some(({ id, parentId }) => id === own && parentId === null) === true
  const mayDecide = held.has('110101') && isPlatform
  const waiting = useEndpoint(
    applicationEndpoints.listApplications,
    { filter: { states: ['submitted'] }, pageSize: 1 },
    { enabled: mayDecide, quiet: true },
  )
  const tab = mayDecide && query.get('tab') === 'applications' ? 'applications' : 'accounts'
  const tabs = [
    { key: 'accounts', title: t('加盟商与账号'), count: undefined },
    ...(mayDecide
      ? [
          {
            key: 'applications',
            title: t('加盟申请', { context: 'tab' }),
            count: waiting.data?.data.count ?? undefined,
          },
        ]
      : []),
  ]
  const tabList = tabs.length > 1 && (
    <nav className="org-tabs" aria-label={t('账号管理')}>
      {tabs.map(({ key, title, count }) => (
        <Link key={key} to={`${path}?tab=${key}`} aria-current={key === tab ? 'page' : undefined}>
          {title}
          {count !== undefined && count > 0 && <small>{count}</small>}
        </Link>
      ))}
    </nav>
  )
  if (tab === 'applications') {
    return (
      <Suspense fallback={<Loading />}>
        <ApplicationsPage title={t('账号管理')} above={tabList} />
      </Suspense>
    )
  }
  return (
    <div className="page">
      <header className="page-head">
        <h1>{t('账号管理')}</h1>
      </header>
      {tabList}
      <Accounts tree={tree} own={own} />
    </div>
  )
}

interface AccountsProps {
  readonly tree: ReturnType<typeof useEndpoint<typeof companyEndpoints.agentTree>>
  readonly own: number | undefined
}

function Accounts({ tree, own }: AccountsProps) {
  const [where, go] = useCompanyParam()
  const nodes = tree.data?.data.list
  const company = nodes?.find(({ id }) => id === where.agentId) ?? firstOf(nodes, own)
  return (
    <div className="tree-page">
      <TreePane
        label={t('加盟商')}
        nodes={nodes}
        error={tree.error}
        onRetry={() => void tree.refetch()}
        selected={company === undefined ? null : companyKey(company.id)}
        selectedLabel={company?.company ?? t('加盟商')}
        onSelect={(row) => go({ agentId: row.agentId, areaId: null })}
      />
      <div className="tree-main">
        {company !== undefined && nodes !== undefined && (
          <CompanyCard
            company={company}
            nodes={nodes}
            isOwn={company.id === own}
            onOpen={({ id }) => go({ agentId: id, areaId: null })}
          />
        )}
        {company !== undefined && company.id === own && <OwnPeople />}
        {company !== undefined && company.id !== own && <People key={company.id} agentId={company.id} />}
      </div>
    </div>
  )
}

function People({ agentId }: { readonly agentId: number }) {
  const { list, add, dialog, body } = usePeople(agentAccounts, { agentId })
  return (
    <>
      <ListCard list={list} label={t('用户')} extra={add} {...body} />
      {dialog}
    </>
  )
}

/** People of the own company are looked after elsewhere. */
function OwnPeople() {
  return (
    <section className="page-card">
      <Empty
        title={t('这是您所在的公司')}
        text={t('本公司的人员在“用户权限”中管理；选一家下级加盟商，即可管理它的账号。')}
        action={<ButtonLink to="/permissions/user">{t('前往用户权限')}</ButtonLink>}
      />
    </section>
  )
}

/** A page that opens without a choice shows a franchisee, where there is one, and not the own company. */
function firstOf(nodes: readonly AgentNode[] | undefined, own: number | undefined): AgentNode | undefined {
  return nodes?.find(({ id }) => id !== own) ?? nodes?.[0]
}
