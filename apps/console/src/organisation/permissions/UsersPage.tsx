import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import { operatorLevels } from '@saddle/contract/constants.ts'
import { operatorLevelLabels, personEndpoints } from '@saddle/contract/organisation/people.ts'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'
import { idOf } from '../parts/link.ts'
import { PersonTable } from '../parts/PersonTable.tsx'
import { ScopeNote } from '../parts/ScopeNote.tsx'
import { ownUsers } from '../parts/sources.ts'
import { AccessReview, type Review } from '../review/AccessReview.tsx'
import { Allies } from './Allies.tsx'

const path = '/permissions/user'
const levels = Object.values(operatorLevels)

/** Users of the own company by level, franchisers, and the review of who may do what. */
export default function UsersPage(): ReactNode {
  const [query, setQuery] = useSearchParams()
  const tab = query.get('tab') ?? 'all'
  const level = levels.find((one) => String(one) === tab)
  const { data } = useEndpoint(personEndpoints.listUsers, { pageSize: 1 }, { quiet: true })
  const counts = new Map(data?.data.levels.map((one) => [one.level, one.count]))
  const tabs = [
    { key: 'all', title: t('全部用户'), count: data?.data.count },
    ...levels.map((one) => ({
      key: String(one),
      title: t(operatorLevelLabels[one]),
      count: data === undefined ? undefined : (counts.get(one) ?? 0),
    })),
    { key: 'ally', title: t('加盟联系人'), count: undefined },
    { key: 'review', title: t('权限审查'), count: undefined },
  ]
  const onReview = (review: Review) => {
    const at = review === null ? {} : 'code' in review ? { code: review.code } : { person: String(review.operatorId) }
    setQuery({ tab: 'review', ...at })
  }
  return (
    <div className="page">
      <header className="page-head">
        <h1>{t('用户权限')}</h1>
      </header>
      <ScopeNote />
      <nav className="org-tabs" aria-label={t('用户权限')}>
        {tabs.map(({ key, title, count }) => (
          <Link key={key} to={`${path}?tab=${key}`} aria-current={key === tab ? 'page' : undefined}>
            {title}
            {count !== undefined && <small>{count}</small>}
          </Link>
        ))}
      </nav>
      {tab === 'ally' ? (
        <Allies />
      ) : tab === 'review' ? (
        <AccessReview review={reviewOf(query)} onReview={onReview} />
      ) : (
        <PersonTable
          key={tab}
          source={ownUsers}
          {...(level !== undefined && { level })}
          reviewOf={(person) => `${path}?tab=review&person=${person.operatorId}`}
        />
      )}
    </div>
  )
}

function reviewOf(query: URLSearchParams): Review {
  const code = query.get('code')
  if (code !== null && code !== '') return { code }
  const operatorId = idOf(query.get('person'))
  return operatorId === null ? null : { operatorId }
}
