import { useLayoutEffect, useRef, type ReactElement } from 'react'
import { Link } from 'react-router'
import { menuTrail, redirectOf } from '@saddle/contract/menu.ts'
import { t } from '#kit/i18n/index.ts'
import { usePermissions } from '#kit/session/permissions.ts'

const homePath = '/log'

/** Breadcrumbs: home, groups, page (section 2). */
export function Crumbs({ path }: { readonly path: string }): ReactElement {
  const { held } = usePermissions()
  const trail = menuTrail(path).filter((row) => row.path !== homePath)
  const nav = useShortened()
  return (
    <nav ref={nav} className="shell-crumbs" aria-label={t('当前位置')}>
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

/** What is left out, until the rest fits: nothing, the groups, all but the page. */
const leftOut = ['none', 'groups', 'all'] as const

/** The name of the page stays whole as long as there is room for it: what leads to it goes first. */
function useShortened() {
  const nav = useRef<HTMLElement>(null)
  const fit = useRef<() => void>(undefined)
  useLayoutEffect(() => {
    const element = nav.current
    const line = element?.firstElementChild
    if (element === null || line === null || line === undefined) return undefined
    fit.current = () => {
      for (const step of leftOut) {
        element.dataset['leftOut'] = step
        if (line.scrollWidth <= line.clientWidth) return
      }
    }
    const observer = new ResizeObserver(() => fit.current?.())
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  // Other crumbs may need as much room as before, or the same place in another language.
  useLayoutEffect(() => fit.current?.())
  return nav
}
