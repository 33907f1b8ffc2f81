import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { isRoutePermitted, type PagePath } from '@saddle/contract/menu.ts'
import { t } from '#kit/i18n/index.ts'
import { usePermissions } from '#kit/session/permissions.ts'

const steps: readonly { readonly path: PagePath; readonly title: () => string; readonly text: () => string }[] = [
  {
    path: '/agent/service-area-management',
    title: () => t('划定服务区'),
    text: () => t('车辆、价格、任务与报表都按服务区管理。'),
  },
  {
    path: '/electronic/parking-fence',
    title: () => t('画停车点'),
    text: () => t('骑行者在停车点内还车；没有停车点时可在服务区内任意还车。'),
  },
  {
    path: '/marketing/charging-config',
    title: () => t('设置计费'),
    text: () => t('没有计费规则的服务区不能骑行。'),
  },
  {
    path: '/vehicle/device-access',
    title: () => t('接入车辆'),
    text: () => t('登记车辆与设备，设备上线后出现在运营地图上。'),
  },
  {
    path: '/permissions/user',
    title: () => t('添加同事'),
    text: () => t('每个人按自己的角色与服务区工作。'),
  },
]

/** What a company without a vehicle does first, by what the person may do. */
export function FirstSteps(): ReactNode {
  const { held } = usePermissions()
  const open = steps.filter(({ path }) => isRoutePermitted(path, held))
  if (open.length === 0) return null
  return (
    <section className="page-card home-steps" aria-labelledby="home-steps">
      <h2 id="home-steps">{t('从这里开始')}</h2>
      <ol>
        {open.map(({ path, title, text }) => (
          <li key={path}>
            <Link to={path}>{title()}</Link>
            <small>{text()}</small>
          </li>
        ))}
      </ol>
    </section>
  )
}
