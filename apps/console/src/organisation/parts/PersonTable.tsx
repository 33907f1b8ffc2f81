import Select from 'antd/es/select'
import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { operatorLevelLabels, type Person } from '@saddle/contract/organisation/people.ts'
import {
  enabledStateLabels,
  enabledStates,
  roleEndpoints,
  type EnabledState,
} from '@saddle/contract/organisation/roles.ts'
import { serverNow } from '#kit/clock.ts'
import { dateTime, relativeTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DataTable, type Column } from '#kit/list/DataTable.tsx'
import { Pager } from '#kit/list/Pager.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Empty } from '#kit/ui/states.tsx'
import { PersonFactor, PersonRemoval, PersonSwitch } from './PersonActs.tsx'
import { PersonDrawer } from './PersonDrawer.tsx'
import type { PersonSource } from './sources.ts'
import { useLater } from '#kit/useLater.ts'
import './parts.css'

export type Level = Person['level']

interface Props {
  readonly source: PersonSource
  readonly level?: Level
  /** People of this company alone; on the side below, new ones are added to it. */
  readonly agentId?: number
  /** Where the review of one person is. */
  readonly reviewOf?: (person: Person) => string
}

const pageSize = 20

type Act =
  | { readonly kind: 'edit' | 'remove' | 'switch' | 'factor'; readonly person: Person }
  | { readonly kind: 'add' }

/** People who log in: find, add, change, disable, delete. */
export function PersonTable({ source, level, agentId, reviewOf }: Props): ReactNode {
  const [typed, setTyped] = useState('')
  const keyword = useLater(typed.trim())
  const [state, setState] = useState<EnabledState | undefined>()
  const [roleId, setRoleId] = useState<number | undefined>()
  const question = JSON.stringify([keyword, state, roleId, level, agentId])
  const [at, setAt] = useState({ of: question, page: 1 })
  const page = at.of === question ? at.page : 1
  const go = (next: number) => setAt({ of: question, page: next })
  const [act, setAct] = useState<Act | null>(null)
  const input = {
    page,
    pageSize,
    ...(keyword !== '' && { keyword }),
    ...(state !== undefined && { state }),
    ...(roleId !== undefined && { roleId }),
    ...(level !== undefined && { level }),
    ...(agentId !== undefined && { agentId }),
  }
  const { data, error, isPlaceholderData, refetch } = useEndpoint(source.list, input, { keepPrevious: true })
  const found = data?.data
  const canAdd = source.side === 'own' || agentId !== undefined
  const close = () => setAct(null)
  const isAsked = keyword !== '' || state !== undefined || roleId !== undefined
  return (
    <section className="page-card">
      <search className="org-bar" aria-label={t('筛选条件')}>
        <input
          type="search"
          className="org-search"
          value={typed}
          placeholder={t('姓名，或完整手机号')}
          aria-label={t('姓名，或完整手机号')}
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
        {canAdd && <RoleFilter agentId={agentId} value={roleId} onChange={setRoleId} />}
        <span className="org-gap" />
        {canAdd && (
          <Button look="primary" onClick={() => setAct({ kind: 'add' })}>
            {source.side === 'own' ? t('新增用户') : t('开通账号')}
          </Button>
        )}
      </search>
      <DataTable<Person>
        label={t('用户')}
        columns={columnsOf({ source, reviewOf, onAct: setAct })}
        rows={found?.list}
        rowKey={(row) => row.operatorId}
        loading={isPlaceholderData}
        error={error}
        onRetry={() => void refetch()}
        onOpen={(person) => setAct({ kind: 'edit', person })}
        cardHead={nameCell}
        empty={<Empty title={isAsked ? t('没有符合条件的用户') : t('还没有用户')} />}
      />
      <Pager
        page={page - 1}
        hasNext={found !== undefined && page * pageSize < found.count}
        count={found?.count ?? null}
        busy={isPlaceholderData}
        onPrevious={() => go(page - 1)}
        onNext={() => go(page + 1)}
      />
      {act?.kind === 'add' && (
        <PersonDrawer
          source={source}
          person={null}
          agentId={agentId ?? null}
          onClose={close}
          {...(level !== undefined && { level })}
        />
      )}
      {act?.kind === 'edit' && (
        <PersonDrawer source={source} person={act.person} agentId={act.person.agentId} onClose={close} />
      )}
      {act?.kind === 'switch' && <PersonSwitch source={source} person={act.person} onClose={close} />}
      {act?.kind === 'factor' && <PersonFactor person={act.person} onClose={close} />}
      {act?.kind === 'remove' && <PersonRemoval source={source} person={act.person} onClose={close} />}
    </section>
  )
}

interface RoleFilterProps {
  readonly agentId: number | undefined
  readonly value: number | undefined
  readonly onChange: (roleId: number | undefined) => void
}

function RoleFilter({ agentId, value, onChange }: RoleFilterProps) {
  const { data } = useEndpoint(roleEndpoints.enabledRoles, agentId === undefined ? {} : { agentId }, { quiet: true })
  return (
    <Select
      className="org-select"
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      placeholder={t('角色')}
      aria-label={t('角色')}
      value={value ?? null}
      options={(data?.data.list ?? []).map((role) => ({ value: role.id, label: role.name }))}
      onChange={(next) => onChange(next ?? undefined)}
    />
  )
}

function nameCell(person: Person) {
  return (
    <span className="org-name">
      <strong>{person.name}</strong>
      {person.isSelf && <small className="org-chip">{t('本人')}</small>}
      {person.state === 'disabled' && (
        <small className="org-chip" data-tone="bad">
          {t(enabledStateLabels.disabled)}
        </small>
      )}
      {person.hasTotp && (
        <small className="org-chip" data-tone="good">
          {t('双因素')}
        </small>
      )}
    </span>
  )
}

interface ColumnParts {
  readonly source: PersonSource
  readonly reviewOf: ((person: Person) => string) | undefined
  readonly onAct: (act: Act) => void
}

function columnsOf({ source, reviewOf, onAct }: ColumnParts): readonly Column<Person>[] {
  const company = { key: 'company', title: t('加盟商'), render: (row: Person) => row.company }
  return [
    { key: 'name', title: t('姓名'), inHead: true, render: nameCell },
    { key: 'phone', title: t('手机号'), render: (row) => row.phone },
    ...(source.side === 'below' ? [company] : []),
    { key: 'level', title: t('级别'), render: (row) => t(operatorLevelLabels[row.level]) },
    {
      key: 'role',
      title: t('角色'),
      render: (row) => (
        <span className="org-name">
          {row.role?.name ?? <span data-tone="warn">{t('未分配')}</span>}
          {row.role?.state === 'disabled' && (
            <small className="org-chip" data-tone="bad">
              {t('角色已停用')}
            </small>
          )}
        </span>
      ),
    },
    { key: 'areas', title: t('服务区'), render: areasCell },
    {
      key: 'login',
      title: t('最近登录'),
      render: (row) =>
        row.lastLoginAt === null ? (
          <span className="org-soft">{t('从未登录')}</span>
        ) : (
          <time title={dateTime(row.lastLoginAt)}>{relativeTime(row.lastLoginAt, serverNow())}</time>
        ),
    },
    { key: 'acts', title: t('操作'), render: (person) => <RowActs {...{ person, reviewOf, onAct }} /> },
  ]
}

const namesShown = 2

function areasCell(person: Person) {
  if (person.allAreas) return t('全部')
  const { areas } = person
  if (areas.length === 0) return <span data-tone="warn">{t('无')}</span>
  const names = areas.map((area) => area.name)
  const shown = names.slice(0, namesShown).join('、')
  return (
    <span title={names.join('、')}>
      {names.length > namesShown ? t('{{names}} 等 {{count}} 个', { names: shown, count: names.length }) : shown}
    </span>
  )
}

type RowProps = Omit<ColumnParts, 'source'> & { readonly person: Person }

function RowActs({ person, reviewOf, onAct }: RowProps) {
  const isFixed = person.isSelf || person.exceeds
  const reason = person.isSelf ? t('不能修改本人') : t('对方的权限或服务区超出您的')
  const fixed = isFixed ? { disabled: true, title: reason } : {}
  return (
    <span className="org-acts">
      <button type="button" onClick={() => onAct({ kind: 'edit', person })}>
        {isFixed ? t('查看') : t('编辑')}
      </button>
      {reviewOf !== undefined && <Link to={reviewOf(person)}>{t('审查')}</Link>}
      <button type="button" {...fixed} onClick={() => onAct({ kind: 'switch', person })}>
        {person.state === 'enabled' ? t('停用…') : t('启用…')}
      </button>
      {person.hasTotp && !isFixed && (
        <button type="button" onClick={() => onAct({ kind: 'factor', person })}>
          {t('解除双因素')}
        </button>
      )}
      <button type="button" {...fixed} onClick={() => onAct({ kind: 'remove', person })}>
        {t('删除…')}
      </button>
    </span>
  )
}
