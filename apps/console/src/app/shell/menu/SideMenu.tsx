import { useState, type ReactElement } from 'react'
import { Link } from 'react-router'
import { t } from '#kit/i18n/index.ts'
import { Icon } from '../Icon.tsx'
import type { MenuNode } from './model.ts'

interface MenuProps {
  readonly nodes: readonly MenuNode[]
  /** Path of the page that is shown. */
  readonly current: string
  readonly currentRoot: string | null
  readonly onGo: () => void
}

interface SideMenuProps extends MenuProps {
  readonly collapsed: boolean
  readonly open: readonly string[]
  readonly onToggle: (root: string) => void
}

/** The menu at the side: groups unfold in place; collapsed, a group shows its pages beside itself. */
export function SideMenu(props: SideMenuProps): ReactElement {
  return (
    <nav className="shell-side" aria-label={t('主菜单')}>
      <ul>
        {props.nodes.map((node) => (
          <li key={node.row.path}>
            {node.children.length === 0 ? (
              <PageLink node={node} {...props} />
            ) : props.collapsed ? (
              <FlyGroup node={node} {...props} />
            ) : (
              <FoldGroup node={node} {...props} />
            )}
          </li>
        ))}
      </ul>
    </nav>
  )
}

function PageLink({ node, current, onGo }: MenuProps & { readonly node: MenuNode }): ReactElement {
  return (
    <Link
      to={node.to}
      className="shell-root"
      title={t(node.row.title)}
      aria-current={node.row.path === current ? 'page' : undefined}
      onClick={onGo}
    >
      <RootFace node={node} />
    </Link>
  )
}

function FoldGroup(props: SideMenuProps & { readonly node: MenuNode }): ReactElement {
  const { node, open, onToggle, currentRoot } = props
  const unfolded = open.includes(node.row.path)
  return (
    <>
      <button
        type="button"
        className="shell-root"
        aria-expanded={unfolded}
        data-within={currentRoot === node.row.path}
        onClick={() => onToggle(node.row.path)}
      >
        <RootFace node={node} />
        <span className="shell-root-arrow">
          <Icon name="down" size={14} />
        </span>
      </button>
      {/* Stays in place while folded, so that opening can move instead of jump. */}
      <div className="shell-fold" data-open={unfolded} inert={!unfolded}>
        <Pages {...props} />
      </div>
    </>
  )
}

function FlyGroup(props: MenuProps & { readonly node: MenuNode }): ReactElement {
  const { node, currentRoot } = props
  const [open, setOpen] = useState(false)
  const [top, setTop] = useState(0)
  const show = (element: HTMLElement): void => {
    setTop(element.getBoundingClientRect().top)
    setOpen(true)
  }
  return (
    <div
      className="shell-fly"
      role="none"
      onPointerEnter={(event) => show(event.currentTarget)}
      onPointerLeave={() => setOpen(false)}
      onFocus={(event) => show(event.currentTarget)}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setOpen(false)
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') setOpen(false)
      }}
    >
      <button
        type="button"
        className="shell-root"
        aria-label={t(node.row.title)}
        aria-haspopup="true"
        aria-expanded={open}
        data-within={currentRoot === node.row.path}
        onClick={(event) => show(event.currentTarget)}
      >
        <RootFace node={node} />
      </button>
      {open && (
        <div
          className="shell-fly-pages"
          style={{ top: `min(${top}px, calc(100dvh - ${node.children.length * 36 + 60}px))` }}
        >
          <p>{t(node.row.title)}</p>
          <Pages {...props} onGo={() => setOpen(false)} />
        </div>
      )}
    </div>
  )
}

function RootFace({ node }: { readonly node: MenuNode }): ReactElement {
  return (
    <>
      <Icon name={node.row.icon ?? 'log'} />
      <span className="shell-root-title">{t(node.row.title)}</span>
    </>
  )
}

function Pages({ node, current, onGo }: MenuProps & { readonly node: MenuNode }): ReactElement {
  return (
    <ul className="shell-pages">
      {node.children.map((row) => (
        <li key={row.path}>
          <Link
            to={row.path}
            className="shell-page-link"
            aria-current={row.path === current ? 'page' : undefined}
            onClick={onGo}
          >
            {t(row.title)}
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** The menu along the top: one row of roots, each with its pages below it. */
export function TopMenu(props: MenuProps): ReactElement {
  return (
    <nav className="shell-top" aria-label={t('主菜单')}>
      <ul>
        {props.nodes.map((node) => (
          <li key={node.row.path}>
            {node.children.length === 0 ? <PageLink node={node} {...props} /> : <TopGroup node={node} {...props} />}
          </li>
        ))}
      </ul>
    </nav>
  )
}

function TopGroup(props: MenuProps & { readonly node: MenuNode }): ReactElement {
  const { node, currentRoot } = props
  const [open, setOpen] = useState(false)
  return (
    <div
      className="shell-top-group"
      role="none"
      onPointerEnter={() => setOpen(true)}
      onPointerLeave={() => setOpen(false)}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setOpen(false)
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') setOpen(false)
      }}
    >
      <button
        type="button"
        className="shell-root"
        aria-haspopup="true"
        aria-expanded={open}
        data-within={currentRoot === node.row.path}
        onClick={() => setOpen(!open)}
      >
        <RootFace node={node} />
      </button>
      {open && (
        <div className="shell-top-pages">
          <Pages {...props} onGo={() => setOpen(false)} />
        </div>
      )}
    </div>
  )
}
