import type { ReactElement } from 'react'
import { Link } from 'react-router'
import { menuTrail, redirectOf } from '@saddle/contract/menu.ts'
import { t } from '#kit/i18n/index.ts'
import { usePermissions } from '#kit/session/permissions.ts'

const homePath = '/log'

/** Breadcrumbs: home, groups, page (section 2). */
export function Crumbs({ path }: { readonly path: string }): ReactElement {
  const { held } = usePermissions()
  const trail = menuTrail(path).filter((row) => row.path !== homePath)
  return (
    <nav className="shell-crumbs" aria-label={t('当前位置')}>
      <ol>
        <li>
          <Link to={homePath} aria-current={trail.length === 0 ? 'page' : undefined}>
            {t('首页')}
          </Link>
        </li>
        {trail.map((row, index) => (
          <li key={row.path}>
            {index === trail.length - 1 ? (
              <span aria-current="page">{t(row.title)}</span>
            ) : (
              <Link to={redirectOf(row.path, held) ?? row.path}>{t(row.title)}</Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
