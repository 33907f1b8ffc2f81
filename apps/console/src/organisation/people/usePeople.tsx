import { useMemo, useState, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { operatorLevelLabels, type Person } from '@saddle/contract/organisation/people.ts'
import { enabledStateLabels, roleEndpoints } from '@saddle/contract/organisation/roles.ts'
import { t } from '#kit/i18n/index.ts'
import { many, one } from '#kit/list/filters/specs.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Ago } from '#kit/ui/Ago.tsx'
import { Mark } from '#kit/ui/Mark.tsx'
import { MoreMenu } from '#kit/ui/MoreMenu.tsx'
import { nameOrPhone } from '../parts/nameOrPhone.ts'
import { addWords, type PersonSide } from './people.ts'
import { PersonFactor, PersonRemoval, PersonSwitch } from './personActions.tsx'
import { EditPerson, NewPerson } from './PersonForm.tsx'
import '../parts/parts.css'

interface Options {
  readonly level?: Person['level']
  /** People of this company alone; on the side below, new ones are added to it. */
  readonly agentId?: number
  /** Where the review of one person is. */
  readonly reviewOf?: (person: Person) => string
}

type Opened =
  | { readonly kind: 'edit' | 'remove' | 'switch' | 'factor'; readonly person: Person }
  | { readonly kind: 'add' }

/** People who log in: found, added, changed, disabled, deleted. For a page of their own and inside of one. */
export function usePeople(source: PersonSide, { level, agentId, reviewOf }: Options) {
  const fixed = { ...(level !== undefined && { levels: [level] }), ...(agentId !== undefined && { agentId }) }
  const list = useList(source.list, { fixed })
  const [opened, open] = useState<Opened | null>(null)
  const close = () => open(null)
  const navigate = useNavigate()
  const canAdd = source.side === 'own' || agentId !== undefined
  const roles = useEndpoint(roleEndpoints.enabledRoles, agentId === undefined ? {} : { agentId }, {
    quiet: true,
    enabled: canAdd,
  })
  const roleChoices = roles.data?.data.list.map(({ id, name }) => ({ value: id, label: name })) ?? []
  const hasReview = reviewOf !== undefined
  const columns = useMemo(() => {
    const review = (person: Person) => {
      if (reviewOf !== undefined) void navigate(reviewOf(person))
    }
    return () => columnsOf({ source, open, ...(hasReview && { review }) })
    // Where a review is depends on the person alone.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [source, hasReview, navigate])
  const add = canAdd && (
    <Button look="primary" onClick={() => open({ kind: 'add' })}>
      {addWords(source)}
    </Button>
  )
  return {
    list,
    add,
    body: {
      filters: [
        nameOrPhone(),
        many('states', t('状态'), enabledStateLabels),
        ...(level === undefined ? [many('levels', t('级别'), levelChoices())] : []),
        ...(canAdd ? [one('roleId', t('角色'), roleChoices)] : []),
      ],
      columns,
      rowName: ({ name }: Person) => name,
      empty: t('还没有用户'),
      onOpen: (person: Person) => open({ kind: 'edit', person }),
    },
    dialog: (
      <>
        {opened?.kind === 'add' && (
          <NewPerson source={source} agentId={agentId ?? null} level={level} onClose={close} />
        )}
        {opened?.kind === 'edit' && <EditPerson source={source} person={opened.person} onClose={close} />}
        {opened?.kind === 'switch' && <PersonSwitch source={source} person={opened.person} onClose={close} />}
        {opened?.kind === 'factor' && <PersonFactor person={opened.person} onClose={close} />}
        {opened?.kind === 'remove' && <PersonRemoval source={source} person={opened.person} onClose={close} />}
      </>
    ),
  }
}

const levelChoices = () =>
  Object.entries(operatorLevelLabels).map(([level, label]) => ({ value: Number(level), label: t(label) }))

interface ColumnDeps {
  readonly source: PersonSide
  readonly open: (opened: Opened) => void
  readonly review?: (person: Person) => void
}

function columnsOf({ source, open, review }: ColumnDeps): readonly ColumnSpec<Person>[] {
  return [
    { key: 'name', card: 'head', render: nameCell },
    'phone',
    ...(source.side === 'below' ? ([{ key: 'company', card: 'none' }] as const) : []),
    'level',
    { key: 'role', render: roleCell },
    { key: 'areas', render: areasCell },
    { key: 'lastLoginAt', card: 'none', render: ({ lastLoginAt }) => loginCell(lastLoginAt) },
    { key: 'createdAt', card: 'none', isOptional: true },
    { key: 'hasTotp', card: 'none', isOptional: true },
    { key: 'supportAccount', card: 'none', isOptional: true },
    { key: 'acts', title: t('操作'), card: 'head', render: (person) => <RowActs {...{ person, open, review }} /> },
  ]
}

function nameCell({ name, isSelf, state, hasTotp }: Person): ReactNode {
  return (
    <span className="org-name">
      <strong>{name}</strong>
      {isSelf && <Mark tone="info">{t('本人')}</Mark>}
      {state === 'disabled' && <Mark tone="bad">{t(enabledStateLabels.disabled)}</Mark>}
      {hasTotp && <Mark tone="good">{t('双因素')}</Mark>}
    </span>
  )
}

function roleCell({ role }: Person): ReactNode {
  if (role === null) return <Mark tone="warn">{t('未分配')}</Mark>
  return (
    <span className="org-name">
      {role.name}
      {role.state === 'disabled' && <Mark tone="bad">{t('角色已停用')}</Mark>}
    </span>
  )
}

const namesShown = 2

function areasCell({ allAreas, areas }: Person): ReactNode {
  if (allAreas) return t('全部')
  if (areas.length === 0) return <Mark tone="warn">{t('无')}</Mark>
  const names = areas.map((area) => area.name)
  const shown = names.slice(0, namesShown).join('、')
  return (
    <span title={names.join('、')}>
      {names.length > namesShown ? t('{{names}} 等 {{count}} 个', { names: shown, count: names.length }) : shown}
    </span>
  )
}

const loginCell = (at: number | null): ReactNode =>
  at === null ? <span className="org-soft">{t('从未登录')}</span> : <Ago at={at} />

interface RowProps extends Pick<ColumnDeps, 'open'> {
  readonly person: Person
  readonly review: ColumnDeps['review']
}

function RowActs({ person, open, review }: RowProps) {
  const isFixed = person.isSelf || person.exceeds
  const refusal = isFixed ? (person.isSelf ? t('不能修改本人') : t('对方的权限或服务区超出您的')) : null
  const ask = (kind: 'remove' | 'switch' | 'factor') => () => open({ kind, person })
  return (
    <span className="org-acts">
      <button type="button" onClick={() => open({ kind: 'edit', person })}>
        {isFixed ? t('查看') : t('编辑')}
      </button>
      <MoreMenu
        label={person.name}
        actions={[
          ...(review === undefined ? [] : [{ key: 'review', label: t('审查'), run: () => review(person) }]),
          {
            key: 'switch',
            label: person.state === 'enabled' ? t('停用…') : t('启用…'),
            run: ask('switch'),
            refusal,
          },
          ...(person.hasTotp ? [{ key: 'factor', label: t('解除双因素'), run: ask('factor'), refusal }] : []),
          { key: 'remove', label: t('删除…'), run: ask('remove'), refusal, isDanger: true },
        ]}
      />
    </span>
  )
}
