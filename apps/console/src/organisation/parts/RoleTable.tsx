import Select from 'antd/es/select'
import { useState, type ReactNode } from 'react'
import { Link, useNavigate } from 'react-router'
import {
  enabledStateLabels,
  enabledStates,
  type EnabledState,
  type RoleRow,
} from '@saddle/contract/organisation/roles.ts'
import { permissionTree } from '@saddle/contract/permissions.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DataTable, type Column } from '#kit/list/DataTable.tsx'
import { Pager } from '#kit/list/Pager.tsx'
import { Button, ButtonLink } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Empty } from '#kit/ui/states.tsx'
import { RoleCompare } from './RoleCompare.tsx'
import { RoleRemoval, RoleSwitch } from './RoleActs.tsx'
import type { RoleSource } from './sources.ts'
import { useLater } from '#kit/useLater.ts'
import './parts.css'

interface Props {
  readonly source: RoleSource
  /** Roles of this company alone. */
  readonly agentId?: number
}

const pageSize = 20
const codeOptions = permissionTree
  .filter((row) => row.code !== 'all')
  .map(({ code, title }) => ({ value: code, title, label: `${code} ${title}` }))

type Act = { readonly kind: 'remove' | 'switch'; readonly row: RoleRow }

/** Roles with who has them; two that are ticked can be compared. */
export function RoleTable({ source, agentId }: Props): ReactNode {
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const keyword = useLater(typed.trim())
  const [state, setState] = useState<EnabledState | undefined>()
  const [code, setCode] = useState<string | undefined>()
  const question = { keyword, state, code, agentId }
  const [at, setAt] = useState({ of: JSON.stringify(question), page: 1 })
  const page = at.of === JSON.stringify(question) ? at.page : 1
  const go = (next: number) => setAt({ of: JSON.stringify(question), page: next })
  const [chosen, setChosen] = useState<readonly number[]>([])
  const [comparing, setComparing] = useState(false)
  const [act, setAct] = useState<Act | null>(null)
  const input = {
    page,
    pageSize,
    ...(keyword !== '' && { keyword }),
    ...(state !== undefined && { state }),
    ...(code !== undefined && { code }),
    ...(agentId !== undefined && { agentId }),
  }
  const { data, error, isPlaceholderData, refetch } = useEndpoint(source.list, input, { keepPrevious: true })
  const found = data?.data
  const detailOf = (row: RoleRow) => `${source.paths.detail}?id=${row.id}`
  const isAsked = keyword !== '' || state !== undefined || code !== undefined
  return (
    <section className="page-card">
      <search className="org-bar" aria-label={t('筛选条件')}>
        <input
          type="search"
          className="org-search"
          value={typed}
          placeholder={t('角色名称或说明')}
          aria-label={t('角色名称或说明')}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Select
          className="org-select"
          allowClear
          placeholder={t('状态')}
          aria-label={t('状态')}
          value={state ?? null}
          options={enabledStates.map((value) => ({ value, label: t(enabledStateLabels[value]) }))}
          onChange={(value) => setState(value ?? undefined)}
        />
        <Select
          className="org-select"
          allowClear
          showSearch={{ optionFilterProp: 'label' }}
          placeholder={t('含有权限')}
          aria-label={t('含有权限')}
          value={code ?? null}
          options={codeOptions.map((option) => ({ value: option.value, label: `${t(option.title)} ${option.value}` }))}
          onChange={(value) => setCode(value ?? undefined)}
        />
        <span className="org-gap" />
        {chosen.length > 0 && (
          <Button disabled={chosen.length !== 2} onClick={() => setComparing(true)}>
            {chosen.length === 2 ? t('对比两个角色') : t('对比（请选两个）')}
          </Button>
        )}
        <ButtonLink
          look="primary"
          to={agentId === undefined ? source.paths.add : `${source.paths.add}?agentId=${agentId}`}
        >
          {t('新增角色')}
        </ButtonLink>
      </search>
      <DataTable<RoleRow>
        label={t('角色')}
        columns={columnsOf({ source, detailOf, onAct: setAct })}
        rows={found?.list}
        rowKey={(row) => row.id}
        loading={isPlaceholderData}
        error={error}
        onRetry={() => void refetch()}
        selected={chosen}
        onSelect={(keys) => setChosen(keys.map(Number))}
        onOpen={(row) => void navigate(detailOf(row))}
        cardHead={(row) => nameCell(row, detailOf(row))}
        empty={<Empty title={isAsked ? t('没有符合条件的角色') : t('还没有角色')} />}
      />
      <Pager
        page={page - 1}
        hasNext={found !== undefined && page * pageSize < found.count}
        count={found?.count ?? null}
        busy={isPlaceholderData}
        onPrevious={() => go(page - 1)}
        onNext={() => go(page + 1)}
      />
      {comparing && chosen.length === 2 && (
        <RoleCompare source={source} ids={[chosen[0] ?? 0, chosen[1] ?? 0]} onClose={() => setComparing(false)} />
      )}
      {act?.kind === 'remove' && <RoleRemoval source={source} row={act.row} onClose={() => setAct(null)} />}
      {act?.kind === 'switch' && <RoleSwitch source={source} row={act.row} onClose={() => setAct(null)} />}
    </section>
  )
}

function nameCell(row: RoleRow, to: string) {
  return (
    <span className="org-name">
      <Link to={to}>{row.name}</Link>
      {row.isOwn && <small className="org-chip">{t('本人的角色')}</small>}
      {row.state === 'disabled' && (
        <small className="org-chip" data-tone="bad">
          {t(enabledStateLabels.disabled)}
        </small>
      )}
    </span>
  )
}

interface ColumnParts {
  readonly source: RoleSource
  readonly detailOf: (row: RoleRow) => string
  readonly onAct: (act: Act) => void
}

function columnsOf({ source, detailOf, onAct }: ColumnParts): readonly Column<RoleRow>[] {
  const below =
    source.side === 'below' ? [{ key: 'company', title: t('加盟商'), render: (row: RoleRow) => row.company }] : []
  return [
    { key: 'name', title: t('角色'), inHead: true, render: (row) => nameCell(row, detailOf(row)) },
    ...below,
    {
      key: 'description',
      title: t('说明'),
      render: (row) => <span className="org-soft">{row.description || '--'}</span>,
    },
    { key: 'codes', title: t('权限'), unit: t('项'), numeric: true, render: (row) => row.codeCount },
    {
      key: 'users',
      title: t('使用者'),
      unit: t('人'),
      numeric: true,
      render: (row) => <Link to={detailOf(row)}>{row.userCount}</Link>,
    },
    {
      key: 'updated',
      title: t('最近修改'),
      render: (row) => (
        <span className="org-soft">
          {dateTime(row.updatedAt)} {row.updatedBy ?? ''}
        </span>
      ),
    },
    { key: 'acts', title: t('操作'), render: (row) => <RowActs {...{ source, row, detailOf, onAct }} /> },
  ]
}

function RowActs({ source, row, detailOf, onAct }: ColumnParts & { readonly row: RoleRow }) {
  const isFixed = row.isOwn || row.exceeds
  const reason = row.isOwn ? t('不能修改本人的角色') : t('此角色含有您没有的权限')
  const fixed = isFixed ? { disabled: true, title: reason } : {}
  return (
    <span className="org-acts">
      <Link to={detailOf(row)}>{isFixed ? t('查看') : t('编辑')}</Link>
      <Link to={`${source.paths.add}?from=${row.id}${source.side === 'below' ? `&agentId=${row.agentId}` : ''}`}>
        {t('复制')}
      </Link>
      <button type="button" {...fixed} onClick={() => onAct({ kind: 'switch', row })}>
        {row.state === 'enabled' ? t('停用…') : t('启用…')}
      </button>
      <button type="button" {...fixed} onClick={() => onAct({ kind: 'remove', row })}>
        {t('删除…')}
      </button>
    </span>
  )
}
