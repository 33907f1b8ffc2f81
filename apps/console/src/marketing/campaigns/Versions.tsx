import type { ReactNode } from 'react'
import { campaignChannelLabels, campaignEndpoints } from '@saddle/contract/marketing/campaigns.ts'
import type { AnswerOf } from '#kit/api/client.ts'
import { dateTime, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { VersionList } from '../activities/Versions.tsx'
import '../activities/activities.css'
import { clock } from './words.ts'

type Version = AnswerOf<typeof campaignEndpoints.campaignVersions>['data']['list'][number]

/** What a campaign was to send before it started: who changed what, and when. The newest first. */
export function Versions({ id }: { readonly id: number }): ReactNode {
  const { data, error, refetch } = useEndpoint(campaignEndpoints.campaignVersions, { id })
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Loading />
  const shownOf = (one: Version) => {
    const { version, madeAt, madeBy } = one
    return { version, madeAt, madeBy, facts: factsOf(one) }
  }
  return <VersionList versions={data.data.list.map(shownOf)} />
}

function factsOf({ terms, segmentName, templateName }: Version): (readonly [string, string])[] {
  const { name, channel, title, body, startsAt, endsAt, quiet, holdoutPercent, budgetSends } = terms
  const noLimit = t('不限', { context: 'limit' })
  return [
    [t('名称'), name],
    [t('人群'), segmentName],
    [t('方式'), templateName ?? t(campaignChannelLabels[channel])],
    ...(channel === 'message' ? [[t('内容'), `${title} · ${body}`] as const] : []),
    [t('开始时间'), startsAt === null ? t('启动后立即') : dateTime(startsAt)],
    ...(endsAt === null ? [] : [[t('截止时间'), dateTime(endsAt)] as const]),
    [t('免打扰'), quiet === null ? noLimit : `${clock(quiet.from)} – ${clock(quiet.to)}`],
    [t('对照比例'), `${holdoutPercent}%`],
    [t('发送上限'), budgetSends === null ? noLimit : number(budgetSends)],
  ]
}
