import type { ReactElement, ReactNode } from 'react'
import { Link } from 'react-router'
import { pageSizeMax } from '@saddle/contract/constants.ts'
import { vehicleEndpoints } from '@saddle/contract/fleet/vehicles.ts'
import { isRoutePermitted } from '@saddle/contract/menu.ts'
import { agentEndpoints } from '@saddle/contract/organisation/agents.ts'
import { chatEndpoints } from '@saddle/contract/support/chat.ts'
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
const otherRefreshMs = 60_000

/** What waits for somebody: vehicles in trouble, people who asked, companies that want to join. */
export function Attention(): ReactElement {
  const { held } = usePermissions()
  return (
    <section className="home-attention" aria-labelledby="home-attention">
      <h2 id="home-attention">{t('需要处理')}</h2>
      <ul>
        <Vehicles />
        {held.has(supportCode) && <Chats />}
        {held.has(applicationsCode) && <Applications />}
      </ul>
    </section>
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
    agentEndpoints.listApplications,
    { pageSize: pageSizeMax },
    { refetchIntervalMs: otherRefreshMs, quiet: true },
  )
  const waiting = data?.data.list.filter((row) => row.state === 'submitted')
  return (
    <>
      <Line count={waiting?.length} tone="warn">
        {(face) =>
          isRoutePermitted(applicationsPath, held) ? (
            <Link to={applicationsPath} className="home-figure">
              {face(t('待审核的加盟申请'))}
            </Link>
          ) : (
            <span className="home-figure">{face(t('待审核的加盟申请'))}</span>
          )
        }
      </Line>
      {waiting?.slice(0, applicationsShown).map((row) => (
        <li key={row.applicationNumber} className="home-application">
          <span>
            {row.company}
            <small>{t('{{city}} · 计划 {{count}} 辆', { city: row.city, count: row.plannedVehicles })}</small>
          </span>
          <time>{dateTime(row.createdAt).slice(0, 16)}</time>
        </li>
      ))}
    </>
  )
}

interface LineProps {
  /** Undefined while it is not known. */
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
