import { useState, type ReactNode } from 'react'
import { upgradeEndpoints } from '@saddle/contract/production/upgrades.ts'
import {
  upgradeActionStateLabels,
  upgradeFailureLabels,
  upgradeFailures,
  upgradeWaitLabels,
} from '@saddle/contract/production/upgradeWords.ts'
import {
  upgradeActionFields,
  upgradeActionList,
  upgradeStepLabels,
  type UpgradeAction,
  type UpgradeActionFilter,
} from '@saddle/contract/production/upgradeActions.ts'
import { dateTime, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DetailPanel } from '#kit/list/DetailPanel.tsx'
import { listOf } from '#kit/list/declare.ts'
import { keyword, many } from '#kit/list/filters/specs.tsx'
import { ListCard } from '#kit/list/ListCard.tsx'
import { ListPage } from '#kit/list/ListPage.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { Button, ButtonLink } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Facts } from '#kit/ui/Facts.tsx'
import { Mark } from '#kit/ui/Mark.tsx'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { Views } from './Views.tsx'
import { actionTone } from './words.ts'

const refreshEveryMs = 10_000

const actions = listOf({
  list: upgradeActionList,
  call: upgradeEndpoints.listUpgradeActions,
  file: upgradeEndpoints.exportUpgradeActions,
  fields: upgradeActionFields,
})

/** Upgrades of devices, each with its log. */
export function ActionPage(): ReactNode {
  const list = useList(actions, { refreshEveryMs })
  return (
    <ListPage
      list={list}
      title={t('设备升级')}
      above={<Views view="actions" />}
      filters={[keyword(t('车辆编号'), 'number'), many('states', t('状态'), upgradeActionStateLabels)]}
      columns={() => {
        const [first, ...rest] = columns()
        return first === undefined ? rest : [first, campaignColumn, ...rest]
      }}
      rowName={({ number: name }) => name}
      empty={t('还没有设备升级')}
      renderPanel={(row) => <ActionPanel key={row.id} action={row} />}
    />
  )
}

/** The same inside another page: of one campaign. */
export function ActionList({ fixed }: { readonly fixed: UpgradeActionFilter }): ReactNode {
  const list = useList(actions, { fixed, isInside: true, refreshEveryMs })
  const [opened, setOpened] = useState<UpgradeAction | null>(null)
  if (opened !== null) {
    return (
      <>
        <p className="form-choices">
          <Button onClick={() => setOpened(null)}>{t('返回设备明细')}</Button>
          <strong>{opened.number}</strong>
        </p>
        <Log action={opened} />
      </>
    )
  }
  return (
    <ListCard
      list={list}
      label={t('设备明细')}
      filters={[many('states', t('状态'), upgradeActionStateLabels)]}
      columns={() => [
        ...columns(),
        {
          key: 'log',
          title: t('日志'),
          render: (row) => (
            <Button look="link" onClick={() => setOpened(row)}>
              {t('查看')}
            </Button>
          ),
        },
      ]}
      rowName={({ number: name }) => name}
      empty={t('没有这样的设备')}
    />
  )
}

/** `上级公司`: the campaign is one of a company that the reader does not see. */
const campaignOf = ({ campaign }: UpgradeAction): string => campaign ?? t('上级公司')
const campaignColumn: ColumnSpec<UpgradeAction> = { key: 'campaign', render: campaignOf }

/** How far it is, or why it waits or failed. */
export function whereOf({ state, waitsFor, failure, package: had, packages }: UpgradeAction): string {
  if (failure !== null) return t(upgradeFailureLabels[failure])
  if (state === 'scheduled') return waitsFor === null ? t('等待本批开始') : t(upgradeWaitLabels[waitsFor])
  return state === 'downloading' ? `${number(had)} / ${number(packages)}` : ''
}

const columns = (): readonly ColumnSpec<UpgradeAction>[] => [
  { key: 'number', card: 'head' },
  {
    key: 'state',
    card: 'head',
    render: (row) => (
      <>
        <Mark tone={actionTone[row.state]}>{t(upgradeActionStateLabels[row.state])}</Mark>
        <small> {whereOf(row)}</small>
      </>
    ),
  },
  {
    key: 'version',
    title: t('版本'),
    card: 'wide',
    render: ({ fromVersion, toVersion }) => `${fromVersion ?? '--'} → ${toVersion}`,
  },
  { key: 'groupNo', render: ({ groupNo }) => number(groupNo + 1) },
  { key: 'resumes', isOptional: true },
  { key: 'repeats', isOptional: true },
  'changedAt',
  { key: 'begunAt', isOptional: true },
  { key: 'finishedAt', isOptional: true },
]

function ActionPanel({ action }: { readonly action: UpgradeAction }) {
  return (
    <DetailPanel
      label={t('设备升级详情')}
      title={
        <>
          <strong>{action.number}</strong>{' '}
          <Mark tone={actionTone[action.state]}>{t(upgradeActionStateLabels[action.state])}</Mark>
        </>
      }
      foot={<ButtonLink to={`/vehicle-info?vehicle=${action.number}`}>{t('车辆详情')}</ButtonLink>}
    >
      <Facts
        facts={[
          [t('所属升级'), campaignOf(action)],
          [t('版本'), `${action.fromVersion ?? '--'} → ${action.toVersion}`],
          [t('进度'), whereOf(action) || '--'],
          [t('数据包'), `${number(action.package)} / ${number(action.packages)}`],
          [t('续传次数'), number(action.resumes)],
          [t('重发数据包'), number(action.repeats)],
          [t('开始时间'), action.begunAt === null ? '--' : dateTime(action.begunAt)],
          [t('结束时间'), action.finishedAt === null ? '--' : dateTime(action.finishedAt)],
        ]}
      />
      <Log action={action} />
    </DetailPanel>
  )
}

function Log({ action }: { readonly action: UpgradeAction }) {
  const { data, error, refetch } = useEndpoint(
    upgradeEndpoints.upgradeLog,
    { id: action.id },
    { refetchIntervalMs: refreshEveryMs },
  )
  if (data === undefined) {
    return error === null ? <Loading /> : <ErrorState error={error} onRetry={() => void refetch()} />
  }
  const { list } = data.data
  if (list.length === 0) return <p>{t('还没有开始')}</p>
  return (
    <Facts
      facts={list.map(({ at, step, package: had, detail }, index) => [
        `${index + 1} · ${dateTime(at)}`,
        [
          t(upgradeStepLabels[step]),
          step === 'resumed' ? t('从第 {{package}} 个数据包', { package: had }) : detailOf(detail),
        ]
          .filter((word) => word !== '')
          .join(' · '),
      ])}
    />
  )
}

/** A code of a failure in words; a version as it is. */
function detailOf(detail: string): string {
  const failure = upgradeFailures.find((one) => one === detail)
  return failure === undefined ? detail : t(upgradeFailureLabels[failure])
}
