import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { vehicleEndpoints } from '@saddle/contract/fleet/vehicles.ts'
import { selfEndpoints } from '@saddle/contract/identity/self.ts'
import type { NoticeKind } from '@saddle/contract/notices/words.ts'
import {
  activityEndpoints,
  activityKindLabels,
  activityPages,
  type ActivityKind,
} from '@saddle/contract/marketing/activities.ts'
import { chatEndpoints } from '@saddle/contract/support/chat.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import type { AnswerOf } from '#kit/api/client.ts'
import { chatWindow } from '#kit/chatWindow.ts'
import { dateTime, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint, useReadings } from '#kit/query.ts'
import { usePermissions } from '#kit/session/permissions.ts'
import { queuePath, queuesOf } from './queueLines.ts'
import './overview.css'

const refreshEveryMs = minuteMs
const ownStaleMs = 5 * minuteMs
const supportCode = '180101'
const accountPath = '/account'

type Tone = 'bad' | 'warn' | 'info'
interface Line {
  readonly key: string
  readonly title: string
  /** Null: unknown yet. */
  readonly count: number | null
  readonly isCut?: boolean
  /** Instead of a count. */
  readonly text?: string
  readonly tone: Tone
  readonly to: string | (() => void)
}

/** What waits for the person, each with the count that its list has; what nobody waits for is left out. */
export function Queues(): ReactNode {
  const own = useEndpoint(selfEndpoints.selfSettings, {}, { staleMs: ownStaleMs, quiet: true }).data?.data
  const lists = useQueueLines(own)
  const lines = [...lists.lines, ...useBudgetLines(), ...useChatLines(), ...securityLines(own)]
  const waiting = lines.filter(({ count, text }) => text !== undefined || (count !== null && count > 0))
  return (
    <section className="home-queues" aria-labelledby="home-queues" aria-busy={lists.isLoading}>
      <h2 id="home-queues">{t('需要处理')}</h2>
      {waiting.length > 0 && (
        <ul>
          {waiting.map((line) => (
            <li key={line.key}>
              <Face line={line} />
            </li>
          ))}
        </ul>
      )}
      {lists.isLoading && waiting.length === 0 && <p className="home-quiet">{t('正在加载…')}</p>}
      {!lists.isLoading && waiting.length === 0 && !lists.hasFailed && (
        <p className="home-quiet">{t('现在没有需要处理的事。')}</p>
      )}
      {lists.hasFailed && <p className="home-quiet">{t('有的数量暂时读取不到，稍后会自动重试。')}</p>}
    </section>
  )
}

function Face({ line: { title, count, isCut, text, tone, to } }: { readonly line: Line }) {
  const face = (
    <>
      <span>{title}</span>
      <b data-tone={tone}>{text ?? `${number(count ?? 0)}${isCut === true ? '+' : ''}`}</b>
    </>
  )
  return typeof to === 'string' ? (
    <Link to={to} className="home-figure">
      {face}
    </Link>
  ) : (
    <button type="button" className="home-figure" onClick={to}>
      {face}
    </button>
  )
}

type Own = AnswerOf<typeof selfEndpoints.selfSettings>['data']
type Counted = { readonly data: { readonly count: number | null; readonly isCountCut: boolean } }

function useQueueLines(own: Own | undefined) {
  const { held } = usePermissions()
  const wants = (kind: NoticeKind): boolean => own === undefined || own.settings.notices.includes(kind)
  const shown = queuesOf(held, wants)
  const answers = useReadings(
    shown.map(({ call, filter }) => ({ endpoint: call, input: { filter, pageSize: 1 } })),
    { refetchIntervalMs: refreshEveryMs },
  )
  const lines = shown.map((queue, index): Line => {
    const page = (answers[index]?.data as Counted | undefined)?.data
    return {
      key: queue.title,
      title: t(queue.title),
      count: page?.count ?? null,
      isCut: page?.isCountCut === true,
      tone: queue.tone,
      to: queuePath(queue),
    }
  })
  return {
    lines,
    isLoading: answers.some(({ isPending }) => isPending),
    hasFailed: answers.some(({ isError }) => isError),
  }
}

const budgetTitles = { dry: () => t('预算用完'), low: () => t('预算将尽') } as const

/** Activities that their budget has stopped, and those that it will stop soon. */
function useBudgetLines(): readonly Line[] {
  const { held } = usePermissions()
  const { data } = useEndpoint(
    activityEndpoints.activityAlerts,
    {},
    {
      enabled: Object.values(activityPages).some(({ permission }) => held.has(permission)),
      refetchIntervalMs: refreshEveryMs,
      quiet: true,
    },
  )
  return (['dry', 'low'] as const).flatMap((state) =>
    (data?.data.list ?? []).map((alert): Line => ({
      key: `${state} ${alert.kind}`,
      title: `${t(activityKindLabels[alert.kind])} · ${budgetTitles[state]()}`,
      count: alert[state],
      tone: state === 'dry' ? 'bad' : 'warn',
      to: budgetPath(alert.kind, state),
    })),
  )
}

function budgetPath(kind: ActivityKind, state: 'dry' | 'low'): string {
  const filter = state === 'dry' ? { states: ['dry'] } : { states: ['on'], low: true }
  return `${activityPages[kind].path}?${new URLSearchParams({ filter: JSON.stringify(filter) })}`
}

function useChatLines(): readonly Line[] {
  const { held } = usePermissions()
  const { data } = useEndpoint(
    chatEndpoints.listConversations,
    {},
    { enabled: held.has(supportCode), refetchIntervalMs: refreshEveryMs, quiet: true },
  )
  const unread = data?.data.list.reduce((sum, row) => sum + row.unread, 0) ?? null
  return [{ key: 'chats', title: t('未读的客服消息'), count: unread, tone: 'warn', to: () => chatWindow.set('inbox') }]
}

/** Where else one is logged in, and a second factor that will be asked for. */
function securityLines(own: Own | undefined): readonly Line[] {
  if (own === undefined) return []
  const { enabledAt, requiredFrom } = own.totp
  const others = own.sessions.filter((session) => !session.isThis).length
  return [
    { key: 'sessions', title: t('其他设备上的登录会话'), count: others, tone: 'info', to: accountPath },
    ...(enabledAt === null && requiredFrom !== null
      ? [
          {
            key: 'totp',
            title: t('绑定动态验证码'),
            count: null,
            text: t('{{time}} 前', { time: dateTime(requiredFrom) }),
            tone: 'warn' as const,
            to: accountPath,
          },
        ]
      : []),
  ]
}

/** Whether the person's companies have no vehicle at all yet; undefined until it is known, false where it cannot be read. */
export function useIsEmptyFleet(): boolean | undefined {
  const { data, isError } = useEndpoint(vehicleEndpoints.aggregateByType, {}, { keepPrevious: true, quiet: true })
  if (data !== undefined) return data.data.total === 0
  return isError ? false : undefined
}
