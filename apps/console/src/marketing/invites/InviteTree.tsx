import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { phonePattern } from '@saddle/contract/constants.ts'
import {
  inviteEndpoints,
  inviteReasonLabels,
  inviteStateLabels,
  type InviteNode,
} from '@saddle/contract/marketing/invites.ts'
import { dateTime, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { KeywordField } from '#kit/list/filters/KeywordField.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint, useEndpoints } from '#kit/query.ts'
import { Mark } from '#kit/ui/Mark.tsx'
import { RiderLink } from '#kit/ui/RiderLink.tsx'
import { Empty, ErrorState, Loading } from '#kit/ui/states.tsx'
import { nextItem } from './treeKeys.ts'
import { toneOfInvite } from './words.ts'
import './invites.css'

/** Who brought whom: the largest trees first, or the way to one rider. */
export function InviteTree({ views }: { readonly views: ReactNode }): ReactNode {
  const [phone, setPhone] = useState('')
  const isPhone = phonePattern.test(phone)
  return (
    <div className="page">
      <header className="page-head">
        <h1>{t('邀请关系')}</h1>
      </header>
      {views}
      <div className="page-card invite-tree">
        <p className="invite-tree-search">
          <KeywordField label={t('按手机号查找')} value={phone} onChange={setPhone} />
          {phone !== '' && !isPhone && <span role="alert">{t('请填写完整的手机号')}</span>}
        </p>
        {isPhone ? (
          <Found phone={phone} />
        ) : (
          <Tree>
            <Level level={1} empty={t('还没有人邀请过好友')} />
          </Tree>
        )}
      </div>
    </div>
  )
}

/** Arrow keys go from rider to rider, open and close what is below one. */
function Tree({ children }: { readonly children: ReactNode }) {
  const root = useRef<HTMLUListElement>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    const at = (event.target as HTMLElement).closest<HTMLElement>('[role="treeitem"]')
    if (root.current === null || at === null || event.target !== at) return
    const next = nextItem(root.current, at, event.key)
    if (next === null) return
    event.preventDefault()
    if (next === 'toggle') at.querySelector<HTMLButtonElement>(':scope > .invite-node > .invite-toggle')?.click()
    else next.focus()
  }
  return (
    <ul ref={root} role="tree" aria-label={t('邀请关系')} onKeyDown={onKeyDown}>
      {children}
    </ul>
  )
}

function Found({ phone }: { readonly phone: string }) {
  const { data, error, refetch } = useEndpoint(inviteEndpoints.findInInviteTree, { phone })
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Loading />
  const { paths } = data.data
  if (paths.length === 0) return <Empty title={t('这个手机号没有邀请关系')} />
  return (
    <Tree>
      {paths.map((path) => (
        <Path key={path.at(-1)?.riderId} path={path} level={1} />
      ))}
    </Tree>
  )
}

/** The way from the top of a tree to a rider, below whom the tree goes on. */
function Path({ path: [node, ...rest], level }: { readonly path: readonly InviteNode[]; readonly level: number }) {
  if (node === undefined) return null
  if (rest.length === 0) return <Node node={node} level={level} isFound />
  return (
    <li role="treeitem" aria-level={level} aria-expanded="true" tabIndex={level === 1 ? 0 : -1}>
      <Line node={node} />
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the tree pattern names groups so */}
      <ul role="group">
        <Path path={rest} level={level + 1} />
      </ul>
    </li>
  )
}

interface LevelProps {
  /** Absent: the tops. */
  readonly inviterId?: number
  readonly level: number
  readonly empty?: string
}

/** Riders of one level, a page at a time. */
function Level({ inviterId, level, empty }: LevelProps) {
  const [afters, setAfters] = useState<readonly (string | null)[]>([null])
  const of = inviterId === undefined ? {} : { inviterId }
  const pages = useEndpoints(
    inviteEndpoints.inviteTree,
    afters.map((after) => (after === null ? of : { ...of, after })),
  )
  const failed = pages.find(({ error }) => error !== null)
  const last = pages.at(-1)?.data?.data
  const nodes = pages.flatMap(({ data }) => data?.data.list ?? [])
  return (
    <>
      {nodes.map((node, index) => (
        <Node key={node.riderId} node={node} level={level} isFirst={level === 1 && index === 0} />
      ))}
      {failed !== undefined && (
        <li role="none">
          <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
        </li>
      )}
      {failed === undefined && last === undefined && (
        <li role="none">
          <Loading />
        </li>
      )}
      {nodes.length === 0 && last !== undefined && empty !== undefined && (
        <li role="none">
          <Empty title={empty} />
        </li>
      )}
      {typeof last?.after === 'string' && (
        <li role="none">
          <Button onClick={() => setAfters([...afters, last.after])}>{t('再显示一些')}</Button>
        </li>
      )}
    </>
  )
}

interface NodeProps {
  readonly node: InviteNode
  readonly level: number
  readonly isFirst?: boolean
  readonly isFound?: boolean
}

function Node({ node, level, isFirst = false, isFound = false }: NodeProps) {
  const [isOpen, setOpen] = useState(false)
  // A refused circle leads back to a rider above: it ends here.
  const hasMore = node.brought > 0 && node.invite?.reason !== 'cycle'
  return (
    <li
      role="treeitem"
      aria-level={level}
      {...(hasMore && { 'aria-expanded': isOpen })}
      tabIndex={isFirst || isFound ? 0 : -1}
      data-found={isFound || undefined}
    >
      <Line node={node} isOpen={hasMore ? isOpen : null} onToggle={() => setOpen(!isOpen)} />
      {isOpen && (
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the tree pattern names groups so
        <ul role="group">
          <Level inviterId={node.riderId} level={level + 1} />
        </ul>
      )}
    </li>
  )
}

interface LineProps {
  readonly node: InviteNode
  /** Null: nobody is below. Absent: it stays open. */
  readonly isOpen?: boolean | null
  readonly onToggle?: () => void
}

function Line({ node, isOpen, onToggle }: LineProps) {
  const { riderId, phone, invite, brought, rewarded, refused } = node
  return (
    <div className="invite-node">
      {onToggle === undefined || isOpen === null || isOpen === undefined ? (
        <span className="invite-toggle" aria-hidden="true" />
      ) : (
        <button
          type="button"
          className="invite-toggle"
          tabIndex={-1}
          aria-label={isOpen ? t('收起 {{phone}}', { phone }) : t('展开 {{phone}}', { phone })}
          onClick={onToggle}
        >
          {isOpen ? '▾' : '▸'}
        </button>
      )}
      <RiderLink riderId={riderId}>{phone}</RiderLink>
      {invite !== null && (
        <>
          <Mark tone={toneOfInvite[invite.state]}>{t(inviteStateLabels[invite.state])}</Mark>
          {invite.reason !== null && <span className="invite-reason">{t(inviteReasonLabels[invite.reason])}</span>}
          <small>{dateTime(invite.boundAt)}</small>
        </>
      )}
      {brought > 0 && (
        <small className="invite-counts">
          {t('邀请 {{count}} 人', { count: brought })}
          {rewarded > 0 && ` · ${t('已发奖励 {{n}}', { n: number(rewarded) })}`}
          {refused > 0 && ` · ${t('未通过 {{n}}', { n: number(refused) })}`}
        </small>
      )}
    </div>
  )
}
