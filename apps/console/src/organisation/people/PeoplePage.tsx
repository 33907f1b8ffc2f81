import { useRef, type ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import { operatorLevels } from '@saddle/contract/constants.ts'
import { operatorLevelLabels, personEndpoints, type Person } from '@saddle/contract/organisation/people.ts'
import { t } from '#kit/i18n/index.ts'
import { ListPage } from '#kit/list/ListPage.tsx'
import { useChosenInSight } from '#kit/plain/useChosenInSight.ts'
import { useEndpoint } from '#kit/query.ts'
import { AllyPage } from '../allies/AllyPage.tsx'
import { idOf } from '../parts/link.ts'
import { ScopeNote } from '../parts/ScopeNote.tsx'
import { AccessReview, type Review } from '../review/AccessReview.tsx'
import { ownUsers } from './people.ts'
import { usePeople } from './usePeople.tsx'

const path = '/permissions/user'
const levels = Object.values(operatorLevels)

/** Users of the own company by level, franchise contacts, and the review of who may do what. */
export default function PeoplePage(): ReactNode {
  const [query] = useSearchParams()
  const tab = query.get('tab') ?? 'all'
  const above = (
    <>
      <ScopeNote />
      <Tabs tab={tab} />
    </>
  )
  if (tab === 'ally') return <AllyPage title={t('用户权限')} above={above} />
  if (tab === 'review') return <ReviewTab above={above} />
  return <Users key={tab} level={levels.find((one) => String(one) === tab)} above={above} />
}

function Tabs({ tab }: { readonly tab: string }) {
  const { data } = useEndpoint(personEndpoints.userLevels, {}, { quiet: true })
  const counts = new Map(data?.data.list.map((one) => [one.level, one.count]))
  const tabs = [
    { key: 'all', title: t('全部用户'), count: data?.data.list.reduce((sum, { count }) => sum + count, 0) },
    ...levels.map((one) => ({
      key: String(one),
      title: t(operatorLevelLabels[one]),
      count: data === undefined ? undefined : (counts.get(one) ?? 0),
    })),
    { key: 'ally', title: t('加盟联系人'), count: undefined },
    { key: 'review', title: t('权限审查'), count: undefined },
  ]
  const row = useRef<HTMLElement>(null)
  useChosenInSight(row, tab)
  return (
    <nav ref={row} className="org-tabs" aria-label={t('用户权限')}>
      {tabs.map(({ key, title, count }) => (
        <Link key={key} to={`${path}?tab=${key}`} aria-current={key === tab ? 'page' : undefined}>
          {title}
          {count !== undefined && <small>{count}</small>}
        </Link>
      ))}
    </nav>
  )
}

function Users({ level, above }: { readonly level: Person['level'] | undefined; readonly above: ReactNode }) {
  const { list, add, dialog, body } = usePeople(ownUsers, {
    ...(level !== undefined && { level }),
    reviewOf: ({ operatorId }) => `${path}?tab=review&person=${operatorId}`,
  })
  return (
    <>
      <ListPage list={list} title={t('用户权限')} actions={add} above={above} {...body} />
      {dialog}
    </>
  )
}

function ReviewTab({ above }: { readonly above: ReactNode }) {
  const [query, setQuery] = useSearchParams()
  const onReview = (review: Review) => {
    const at = review === null ? {} : 'code' in review ? { code: review.code } : { person: String(review.operatorId) }
    setQuery({ tab: 'review', ...at })
  }
  return (
    <div className="page">
      <header className="page-head">
        <h1>{t('用户权限')}</h1>
      </header>
      {above}
      <AccessReview review={reviewOf(query)} onReview={onReview} />
    </div>
  )
}

function reviewOf(query: URLSearchParams): Review {
  const code = query.get('code')
  if (code !== null && code !== '') return { code }
  const operatorId = idOf(query.get('person'))
  return operatorId === null ? null : { operatorId }
}
