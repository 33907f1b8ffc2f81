import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import {
  activityFields,
  activityList,
  activityShownStateLabels,
  type Activity,
} from '@saddle/contract/marketing/activities.ts'
import { money, number, shortTime } from '#kit/format.ts'
import { serverNow } from '#kit/clock.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { areas, keyword, many, tabbed } from '#kit/list/filters/specs.tsx'
import { ListPage } from '#kit/list/ListPage.tsx'
import { StateTabs } from '#kit/list/StateTabs.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { ButtonLink } from '#kit/plain/Button.tsx'
import { Mark } from '#kit/ui/Mark.tsx'
import { useRewardChoices, type RewardChoices } from '../rewards/rewardFields.tsx'
import { ActivityFormPage } from './ActivityFormPage.tsx'
import { ActivityPanel } from './ActivityPanel.tsx'
import { BudgetBanner } from './BudgetBanner.tsx'
import { formTo, type AnyKindUi } from './kind.ts'
import { toneOf } from './words.ts'

const declared = new WeakMap<AnyKindUi, ReturnType<typeof declare>>()

const declare = ({ calls }: AnyKindUi) =>
  listOf({ list: activityList, call: calls.list, sums: calls.sums, file: calls.file, fields: activityFields })

/** One declaration for a kind, so that the list keeps its settings. */
function declarationOf(of: AnyKindUi) {
  const known = declared.get(of) ?? declare(of)
  declared.set(of, known)
  return known
}

interface Props {
  readonly of: AnyKindUi
  /** The other views of the page. */
  readonly views?: ReactNode
}

/** Activities of a kind: what they are, what they cost until now, and what can be done with them. */
export function ActivitiesPage({ of, views }: Props): ReactNode {
  const [search] = useSearchParams()
  // Kinds without a page of their own for it have the form at the same address.
  return search.has('form') ? <ActivityFormPage of={of} /> : <Activities of={of} views={views} />
}

function Activities({ of, views }: Props) {
  const list = useList(declarationOf(of))
  const rewards = useRewardChoices(of.givesRewards === true)
  return (
    <ListPage
      list={list}
      title={of.title()}
      actions={
        <ButtonLink look="primary" to={formTo(of)}>
          {t('新增活动')}
        </ButtonLink>
      }
      above={
        <>
          {views}
          <BudgetBanner of={of} list={list} />
          <StateTabs list={list} call={of.calls.list} name="states" title={t('状态')} labels={tabLabels} />
        </>
      }
      filters={[
        tabbed('states'),
        keyword(t('活动名称'), 'name'),
        areas('areaIds', t('适用服务区')),
        many('low', t('预算'), [{ value: true as never, label: t('即将用完') }]),
      ]}
      columns={() => columns(of, rewards)}
      rowName={({ name }) => name}
      empty={t('还没有活动')}
      renderPanel={(activity) => <ActivityPanel key={activity.id} of={of} activity={activity} />}
    />
  )
}

/** What runs comes first, what is over last. */
const tabLabels = Object.fromEntries(
  (['on', 'dry', 'scheduled', 'paused', 'draft', 'over', 'ended'] as const).map((state) => [
    state,
    activityShownStateLabels[state],
  ]),
)

const columns = (of: AnyKindUi, rewards: RewardChoices): readonly ColumnSpec<Activity<object>>[] => [
  {
    key: 'name',
    card: 'head',
    render: ({ name, terms, company }) => (
      <span>
        {name} <small className="activity-company">{company}</small>{' '}
        <small className="activity-words" title={of.words(terms, rewards)}>
          {of.words(terms, rewards)}
        </small>
      </span>
    ),
  },
  {
    key: 'shown',
    card: 'head',
    render: ({ shown, warnedAt }) => (
      <>
        <Mark tone={toneOf[shown]}>{t(activityShownStateLabels[shown])}</Mark>{' '}
        {shown === 'on' && warnedAt !== null && <Mark tone="warn">{t('预算将尽')}</Mark>}
      </>
    ),
  },
  // Companies run activities of one name: whose it is stands beside it.
  { key: 'company', card: 'none' },
  { key: 'startsAt', card: 'none', render: ({ startsAt }) => shortTime(startsAt, serverNow()) },
  { key: 'endsAt', render: ({ endsAt }) => (endsAt === null ? t('长期') : shortTime(endsAt, serverNow())) },
  {
    key: 'uses',
    render: ({ uses, budgetUses }) => (budgetUses === null ? number(uses) : `${number(uses)} / ${number(budgetUses)}`),
  },
  'riders',
  {
    key: 'usedCents',
    render: ({ usedCents, budgetCents }) =>
      budgetCents === null ? money(usedCents) : `${money(usedCents)} / ${money(budgetCents)}`,
  },
  { key: 'bearer', isOptional: true },
  { key: 'holdoutPercent', isOptional: true },
  { key: 'riderUses', isOptional: true },
  { key: 'riderDayUses', isOptional: true },
  { key: 'deviceUses', isOptional: true },
  { key: 'createdAt', isOptional: true },
  { key: 'changedAt', isOptional: true },
  { key: 'changedBy', isOptional: true },
]
