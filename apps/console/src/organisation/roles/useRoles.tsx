import { useMemo, useState, type ReactNode } from 'react'
import { Link, useNavigate } from 'react-router'
import { enabledStateLabels, type RoleFilter, type RoleRow } from '@saddle/contract/organisation/roles.ts'
import { permissionTree } from '@saddle/contract/permissions.ts'
import { t } from '#kit/i18n/index.ts'
import { keyword, many, one } from '#kit/list/filters/specs.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { Button, ButtonLink } from '#kit/plain/Button.tsx'
import { Mark } from '#kit/ui/Mark.tsx'
import { MoreMenu } from '#kit/ui/MoreMenu.tsx'
import { RoleCompare } from './RoleCompare.tsx'
import { RoleRemoval, RoleSwitch } from './roleActions.tsx'
import { copyOf, detailOf, type RoleSide } from './roles.ts'
import '../parts/parts.css'

type Opened =
  | { readonly kind: 'remove' | 'switch'; readonly row: RoleRow }
  | { readonly kind: 'compare'; readonly ids: readonly [number, number] }

/** Roles with who has them; two that are selected can be compared. For a page of their own and inside of one. */
export function useRoles(source: RoleSide, agentId?: number) {
  const list = useList(source.list, agentId === undefined ? {} : { fixed: { agentId } })
  const [opened, open] = useState<Opened | null>(null)
  const close = () => open(null)
  const navigate = useNavigate()
  const columns = useMemo(() => () => columnsOf({ source, open, go: (to) => void navigate(to) }), [source, navigate])
  return {
    list,
    add: (
      <ButtonLink
        look="primary"
        to={agentId === undefined ? source.paths.add : `${source.paths.add}?agentId=${agentId}`}
      >
        {t('新增角色')}
      </ButtonLink>
    ),
    toRow: (row: RoleRow) => detailOf(source, row),
    body: {
      filters: [
        keyword<RoleFilter>(t('角色名称或说明'), 'keyword'),
        many<RoleFilter>('states', t('状态'), enabledStateLabels),
        one<RoleFilter>('code', t('含有权限'), codeChoices()),
      ],
      columns,
      rowName: ({ name }: RoleRow) => name,
      empty: t('还没有角色'),
      selectable: true,
      renderTools: (rows: readonly RoleRow[]) => <CompareButton rows={rows} open={open} />,
    },
    dialog: (
      <>
        {opened?.kind === 'compare' && <RoleCompare source={source} ids={opened.ids} onClose={close} />}
        {opened?.kind === 'remove' && <RoleRemoval source={source} row={opened.row} onClose={close} />}
        {opened?.kind === 'switch' && <RoleSwitch source={source} row={opened.row} onClose={close} />}
      </>
    ),
  }
}

const codeChoices = () =>
  permissionTree
    .filter(({ code }) => code !== 'all')
    .map(({ code, title }) => ({ value: code, label: `${t(title)} ${code}` }))

function CompareButton({ rows, open }: { readonly rows: readonly RoleRow[]; readonly open: (opened: Opened) => void }) {
  const [left, right, ...others] = rows
  const ids = left !== undefined && right !== undefined && others.length === 0 ? ([left.id, right.id] as const) : null
  return (
    <Button disabled={ids === null} onClick={() => ids !== null && open({ kind: 'compare', ids })}>
      {ids === null ? t('对比（请选两个）') : t('对比两个角色')}
    </Button>
  )
}

interface ColumnDeps {
  readonly source: RoleSide
  readonly open: (opened: Opened) => void
  readonly go: (path: string) => void
}

function columnsOf({ source, open, go }: ColumnDeps): readonly ColumnSpec<RoleRow>[] {
  return [
    { key: 'name', card: 'head', render: (row) => nameCell(row, detailOf(source, row)) },
    ...(source.side === 'below' ? (['company'] as const) : []),
    { key: 'description', render: ({ description }) => <span className="org-soft">{description || '--'}</span> },
    'codeCount',
    { key: 'userCount', render: (row) => <Link to={detailOf(source, row)}>{row.userCount}</Link> },
    'updatedAt',
    { key: 'updatedBy', card: 'none' },
    { key: 'acts', title: t('操作'), card: 'head', render: (row) => <RowActs {...{ source, open, go, row }} /> },
  ]
}

function nameCell(row: RoleRow, to: string): ReactNode {
  return (
    <span className="org-name">
      <Link to={to}>{row.name}</Link>
      {row.isOwn && <Mark tone="info">{t('本人的角色')}</Mark>}
      {row.state === 'disabled' && <Mark tone="bad">{t(enabledStateLabels.disabled)}</Mark>}
    </span>
  )
}

function RowActs({ source, row, open, go }: ColumnDeps & { readonly row: RoleRow }) {
  const isFixed = row.isOwn || row.exceeds
  const refusal = isFixed ? (row.isOwn ? t('不能修改本人的角色') : t('此角色含有您没有的权限')) : null
  return (
    <span className="org-acts">
      <Link to={detailOf(source, row)}>{isFixed ? t('查看') : t('编辑')}</Link>
      <MoreMenu
        label={row.name}
        actions={[
          { key: 'copy', label: t('复制'), run: () => go(copyOf(source, row)) },
          {
            key: 'switch',
            label: row.state === 'enabled' ? t('停用…') : t('启用…'),
            run: () => open({ kind: 'switch', row }),
            refusal,
          },
          { key: 'remove', label: t('删除…'), run: () => open({ kind: 'remove', row }), refusal, isDanger: true },
        ]}
      />
    </span>
  )
}
