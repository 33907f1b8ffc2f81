import { lazy, Suspense, type ReactElement } from 'react'
import { Link } from 'react-router'
import type { Me } from '@saddle/contract/identity/session.ts'
import { businessTimeZone } from '@saddle/contract/time.ts'
import { serverNow } from '#kit/clock.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { loadChunk } from '#kit/chunk.tsx'
import { usePermissions } from '#kit/session/permissions.ts'
import { useSession } from '#kit/session/store.ts'
import { Fleet } from './Fleet.tsx'
import { recentPaths } from './recent.ts'
import { permittedRecents, shortcutGroups } from './shortcuts.ts'
import './overview.css'

const Queues = lazy(() => loadChunk(async () => ({ default: (await import('./Queues.tsx')).Queues })))
const Today = lazy(() => loadChunk(() => import('./Today.tsx')))

/** The first page: what waits for the person, what today looks like beside yesterday and last week, and where to go. */
export default function HomePage(): ReactElement {
  const me = useSession()?.me
  return (
    <div className="home">
      {me !== undefined && <Who me={me} />}
      <Suspense fallback={<Waiting />}>
        <Queues />
      </Suspense>
      <Suspense fallback={null}>
        <Today />
      </Suspense>
      <Fleet />
      <Recent />
      <Shortcuts />
    </div>
  )
}

/** As large as what comes. */
const Waiting = (): ReactElement => (
  <section className="home-queues" aria-busy="true">
    <h2>{t('需要处理')}</h2>
    <p className="home-quiet">{t('正在加载…')}</p>
  </section>
)

function Who({ me }: { readonly me: Me }): ReactElement {
  const facts = [
    [t('角色'), me.roleName ?? '--'],
    [t('公司'), me.company],
    [t('加盟商'), t('{{count}} 个可见', { count: me.agentCount })],
    [t('服务区'), t('{{count}} 个可见', { count: me.areaCount })],
    [t('上次登录'), me.previousLoginAt === null ? t('这是第一次登录') : dateTime(me.previousLoginAt)],
  ] as const
  return (
    <header className="home-who">
      <h1>{t('{{greeting}}，{{name}}', { greeting: greeting(serverNow()), name: me.name })}</h1>
      <dl>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </header>
  )
}

const hourFormat = new Intl.DateTimeFormat('en-GB', { timeZone: businessTimeZone, hour: '2-digit', hourCycle: 'h23' })

function greeting(nowMs: number): string {
  const hour = Number(hourFormat.format(nowMs))
  if (hour < 5) return t('夜深了')
  if (hour < 12) return t('早上好')
  return hour < 18 ? t('下午好') : t('晚上好')
}

function Recent(): ReactElement {
  const { held } = usePermissions()
  const rows = permittedRecents(recentPaths(), held)
  return (
    <section className="home-recent" aria-labelledby="home-recent">
      <h2 id="home-recent">{t('最近使用')}</h2>
      {rows.length === 0 && <p className="home-quiet">{t('打开过的页面会出现在这里。')}</p>}
      <ul>
        {rows.map((row) => (
          <li key={row.path}>
            <Link to={row.path}>{t(row.title)}</Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Shortcuts(): ReactElement {
  const { held } = usePermissions()
  const groups = shortcutGroups(held)
  return (
    <section className="home-pages" aria-labelledby="home-pages">
      <h2 id="home-pages">{t('全部功能')}</h2>
      {groups.length === 0 && <p className="home-quiet">{t('还没有为您开通页面，请联系管理员。')}</p>}
      <div>
        {groups.map(({ title, pages }) => (
          <div key={title} className="home-group">
            <h3>{t(title)}</h3>
            <ul>
              {pages.map((row) => (
                <li key={row.path}>
                  <Link to={row.path}>{t(row.title)}</Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </section>
  )
}
