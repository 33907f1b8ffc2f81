import type { ReactElement, ReactNode } from 'react'
import { Link } from 'react-router'
import { vehicleEndpoints } from '@saddle/contract/fleet/vehicles.ts'
import { operatorDeviceEndpoints } from '@saddle/contract/identity/devices.ts'
import { selfEndpoints } from '@saddle/contract/identity/self.ts'
import type { NoticeKind } from '@saddle/contract/notices/words.ts'
import { isRoutePermitted } from '@saddle/contract/menu.ts'
import {
  activityEndpoints,
  activityKindLabels,
  activityPages,
  type ActivityKind,
} from '@saddle/contract/marketing/activities.ts'
import { applicationEndpoints } from '@saddle/contract/organisation/applications.ts'
import { chatEndpoints } from '@saddle/contract/support/chat.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import type { AnswerOf } from '#kit/api/client.ts'
import { chatWindow } from '#kit/chatWindow.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'
import { usePermissions } from '#kit/session/permissions.ts'
import { fleetRefreshMs, grouped, MapLink } from './Fleet.tsx'

const supportCode = '180101'
const applicationsCode = '110101'
const applicationsPath = '/agent/account-management'
const applicationsShown = 3
const otherRefreshMs = minuteMs
const ownStaleMs = 5 * minuteMs
const devicesPath = '/permissions/device'
const accountPath = '/account'

/** Items that need attention: vehicles, device approvals, franchise applications. */
export function Attention(): ReactElement {
  const { held } = usePermissions()
  const { data } = useEndpoint(selfEndpoints.selfSettings, {}, { staleMs: ownStaleMs, quiet: true })
  const own = data?.data
  const wants = (kind: NoticeKind): boolean => own === undefined || own.settings.notices.includes(kind)
  return (
    <section className="home-attention" aria-labelledby="home-attention">
      <h2 id="home-attention">{t('需要处理')}</h2>
      <ul>
        {wants('alarms') && <Vehicles />}
        {held.has(supportCode) && <Chats />}
        {wants('approvals') && isRoutePermitted(devicesPath, held) && <DeviceRequests />}
        {wants('approvals') && held.has(applicationsCode) && <Applications />}
        {Object.values(activityPages).some(({ permission }) => held.has(permission)) && <Budgets />}
        {own !== undefined && <Security own={own} />}
      </ul>
    </section>
  )
}

const budgetTitles = { dry: () => t('预算用完'), low: () => t('预算将尽') } as const

/** Activities that their budget has stopped, and those that it will stop soon; nothing where there are none. */
function Budgets(): ReactElement {
  const { data } = useEndpoint(activityEndpoints.activityAlerts, {}, { refetchIntervalMs: otherRefreshMs, quiet: true })
  const list = data?.data.list ?? []
  const lines = (['dry', 'low'] as const).flatMap((state) =>
    list.filter((alert) => alert[state] > 0).map((alert) => ({ state, kind: alert.kind, count: alert[state] })),
  )
  return (
    <>
      {lines.map(({ state, kind, count }) => (
        <Line key={`${state} ${kind}`} count={count} tone={state === 'dry' ? 'bad' : 'warn'}>
          {(face) => (
            <Link to={budgetPath(kind, state)} className="home-figure">
              {face(`${t(activityKindLabels[kind])} · ${budgetTitles[state]()}`)}
            </Link>
          )}
        </Line>
      ))}
    </>
  )
}

function budgetPath(kind: ActivityKind, state: 'dry' | 'low'): string {
  const filter = state === 'dry' ? { states: ['dry'] } : { states: ['on'], low: true }
  return `${activityPages[kind].path}?filter=${encodeURIComponent(JSON.stringify(filter))}`
}

/** People who wait to be let in with a new browser. */
function DeviceRequests(): ReactElement {
  const { data } = useEndpoint(
    operatorDeviceEndpoints.deviceAuthorizeInfo,
    { filter: { states: ['requested'] }, pageSize: 1 },
    { refetchIntervalMs: otherRefreshMs, quiet: true },
  )
  return (
    <Line count={data?.data.count ?? undefined} tone="warn">
      {(face) => (
        <Link to={devicesPath} className="home-figure">
          {face(t('待授权的登录设备'))}
        </Link>
      )}
    </Line>
  )
}

/** Where else one is logged in, and a second factor that will be asked for. */
function Security({ own }: { readonly own: AnswerOf<typeof selfEndpoints.selfSettings>['data'] }): ReactElement {
  const others = own.sessions.filter((session) => !session.isThis).length
  const { enabledAt, requiredFrom } = own.totp
  return (
    <>
      {others > 0 && (
        <Line count={others} tone="warn">
          {(face) => (
            <Link to={accountPath} className="home-figure">
              {face(t('其他设备上的登录会话'))}
            </Link>
          )}
        </Line>
      )}
      {enabledAt === null && requiredFrom !== null && (
        <li>
          <Link to={accountPath} className="home-figure">
            <span>{t('绑定动态验证码')}</span>
            <b data-tone="warn">{t('{{time}} 前', { time: dateTime(requiredFrom) })}</b>
          </Link>
        </li>
      )}
    </>
  )
}

function Vehicles(): ReactElement {
  const { data } = useEndpoint(
    vehicleEndpoints.aggregateByType,
    {},
    { refetchIntervalMs: fleetRefreshMs, keepPrevious: true, quiet: true },
  )
  const counts = data?.data
  return (
    <>
      <Line count={counts?.openAlarms} tone="bad">
        {(face) => <MapLink query="?flag=alarm">{face(t('未关闭的告警'))}</MapLink>}
      </Line>
      <Line count={counts?.lowBattery} tone="warn">
        {(face) => <MapLink query="?flag=low">{face(t('低电量车辆'))}</MapLink>}
      </Line>
      <Line count={counts?.offline} tone="warn">
        {(face) => <MapLink query="?show=non_contactable">{face(t('离线车辆'))}</MapLink>}
      </Line>
    </>
  )
}

function Chats(): ReactElement {
  const { data } = useEndpoint(chatEndpoints.listConversations, {}, { refetchIntervalMs: otherRefreshMs, quiet: true })
  const unread = data?.data.list.reduce((sum, row) => sum + row.unread, 0)
  return (
    <Line count={unread} tone="warn">
      {(face) => (
        <button type="button" className="home-figure" onClick={() => chatWindow.set('inbox')}>
          {face(t('未读的客服消息'))}
        </button>
      )}
    </Line>
  )
}

function Applications(): ReactElement {
  const { held } = usePermissions()
  const { data } = useEndpoint(
    applicationEndpoints.listApplications,
    { filter: { states: ['submitted'] }, pageSize: applicationsShown },
    { refetchIntervalMs: otherRefreshMs, quiet: true },
  )
  return (
    <>
      <Line count={data?.data.count ?? undefined} tone="warn">
        {(face) =>
          isRoutePermitted(applicationsPath, held) ? (
            <Link to={`${applicationsPath}?tab=applications`} className="home-figure">
              {face(t('待审核的加盟申请'))}
            </Link>
          ) : (
            <span className="home-figure">{face(t('待审核的加盟申请'))}</span>
          )
        }
      </Line>
      {data?.data.list.map((row) => (
        <li key={row.applicationNumber} className="home-application">
          <span>
            {row.company}
            <small>{t('{{city}} · 计划 {{count}} 辆', { city: row.city, count: row.plannedVehicles })}</small>
          </span>
          <time>{dateTime(row.createdAt)}</time>
        </li>
      ))}
    </>
  )
}

interface LineProps {
  /** Undefined while unknown. */
  readonly count: number | undefined
  readonly tone: 'bad' | 'warn'
  readonly children: (face: (title: string) => ReactNode) => ReactNode
}

function Line({ count, tone, children }: LineProps): ReactElement {
  const face = (title: string): ReactNode => (
    <>
      <span>{title}</span>
      <b data-tone={count !== undefined && count > 0 ? tone : undefined}>
        {count === undefined ? '--' : grouped(count)}
      </b>
    </>
  )
  return <li>{children(face)}</li>
}
