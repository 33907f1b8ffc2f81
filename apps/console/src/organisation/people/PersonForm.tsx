import { useState, type ReactNode } from 'react'
import { operatorLevels } from '@saddle/contract/constants.ts'
import { operatorLevelLabels, personEndpoints, type Person } from '@saddle/contract/organisation/people.ts'
import { roleEndpoints } from '@saddle/contract/organisation/roles.ts'
import { useAction } from '#kit/action/useAction.ts'
import { choice, select } from '#kit/form/choiceFields.tsx'
import { FormDrawer } from '#kit/form/FormDialog.tsx'
import { phone, text } from '#kit/form/textFields.tsx'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Facts } from '#kit/ui/Facts.tsx'
import { personAreas } from './areasField.tsx'
import { addWords, peopleCalls, type PersonSide } from './people.ts'

interface Props {
  readonly source: PersonSide
  readonly onClose: () => void
}

/** Somebody new. `agentId`: the franchisee that they will belong to, on that side; `level`: what they begin with. */
export function NewPerson(
  props: Props & { readonly agentId: number | null; readonly level: Person['level'] | undefined },
): ReactNode {
  const { source, agentId, level = operatorLevels.operator, onClose } = props
  const roles = useRoles(agentId, null)
  return (
    <FormDrawer
      call={source.create}
      about={agentId ?? 'own'}
      title={addWords(source)}
      fields={{
        phone: phone({ refusals: ['phone_taken'] }),
        ...contentFields({ person: null, agentId, level, roles }),
      }}
      input={({ phone: number, areas, roleId = null, ...content }) => ({
        ...(agentId !== null && { agentId }),
        phone: number,
        ...content,
        roleId,
        ...areas,
      })}
      submit={({ name = '' }) => (name === '' ? t('新增用户') : t('新增“{{name}}”', { name }))}
      stale={peopleCalls}
      done={({ data: { name } }) => t('已新增“{{name}}”', { name })}
      onClose={onClose}
    />
  )
}

/** One person: who they are, what they may do, and where. */
export function EditPerson({ source, person, onClose }: Props & { readonly person: Person }): ReactNode {
  const { operatorId } = person
  // Read anew and in full: a list hides the number, and what is edited must be what is there now.
  const { data, error } = useEndpoint(personEndpoints.personInfo, { operatorId }, { staleMs: 0 })
  const [base, setBase] = useState<Person | undefined>()
  if (base === undefined && data !== undefined) setBase(data.data)
  const roles = useRoles(person.agentId, person.role)
  if (base === undefined || base.isSelf || base.exceeds) {
    const loading = error === null ? t('正在加载…') : t('没有读到此人的最新内容')
    return (
      <FormDrawer
        key="shown"
        call={source.change}
        about={operatorId}
        title={person.name}
        fields={{}}
        input={() => ({ ...person, roleId: null, areaIds: [] })}
        blocked={base === undefined ? loading : whyFixed(base)}
        submit={t('保存修改')}
        onClose={onClose}
      >
        <Facts facts={[...contentFacts(base ?? person), ...personFacts(source, base ?? person)]} />
      </FormDrawer>
    )
  }
  return (
    <FormDrawer
      key="edited"
      call={source.change}
      about={operatorId}
      title={base.name}
      fields={contentFields({ person: base, agentId: base.agentId, level: base.level, roles })}
      input={({ areas, roleId = null, ...content }) => ({
        operatorId,
        version: base.version,
        ...content,
        roleId,
        ...areas,
      })}
      submit={t('保存修改')}
      stale={peopleCalls}
      done={({ data: { name } }) => t('已保存“{{name}}”，即刻生效', { name })}
      onClose={onClose}
    >
      <Facts facts={personFacts(source, base)} />
    </FormDrawer>
  )
}

const whyFixed = ({ isSelf }: Person): string =>
  isSelf ? t('您不能修改自己的级别、角色与服务区。') : t('对方的权限或服务区超出您的，您只能查看。')

interface Content {
  readonly person: Person | null
  readonly agentId: number | null
  readonly level: Person['level']
  readonly roles: ReturnType<typeof useRoles>
}

function contentFields({ person, agentId, level, roles }: Content) {
  const { allAreas, areas } = person ?? { allAreas: true, areas: [] }
  return {
    name: text({ label: t('姓名'), initial: person?.name ?? '' }),
    level: choice<Person['level']>({
      label: t('级别'),
      initial: level,
      options: Object.values(operatorLevels).map((one) => ({ value: one, label: t(operatorLevelLabels[one]) })),
    }),
    roleId: select<number>({
      label: t('角色'),
      isOptional: true,
      initial: person?.role?.id ?? null,
      placeholder: t('未分配：登录后看不到任何功能'),
      ...roles,
    }),
    areas: personAreas({
      agentId,
      initial: { allAreas, areas },
      hasUnseen: person !== null && !allAreas && areas.length === 0,
    }),
  }
}

/** Roles that may be given, and the one that the person has now: it may be kept even where it could not be given. */
function useRoles(agentId: number | null, held: Person['role']) {
  const { data } = useEndpoint(roleEndpoints.enabledRoles, agentId === null ? {} : { agentId })
  const list = data?.data.list ?? []
  const kept = held !== null && list.every((role) => role.id !== held.id) ? [{ ...held, grantable: true }] : []
  return {
    isLoading: data === undefined,
    options: [...kept, ...list].map(({ id, name, grantable }) => ({
      value: id,
      label: grantable || id === held?.id ? name : t('{{name}}（含有您没有的权限）', { name }),
      isDisabled: !grantable && id !== held?.id,
    })),
  }
}

type Fact = readonly [label: string, value: ReactNode]

/** What a form would let one change. */
function contentFacts({ name, level, role, allAreas, areas }: Person): readonly Fact[] {
  return [
    [t('姓名'), name],
    [t('级别'), t(operatorLevelLabels[level])],
    [t('角色'), role?.name ?? t('未分配')],
    [t('服务区'), allAreas ? t('全部（含今后新增）') : areas.map((area) => area.name).join('、') || t('无')],
  ]
}

function personFacts({ side }: PersonSide, person: Person): readonly Fact[] {
  return [
    [t('手机号'), person.phone],
    [t('公司'), person.company],
    [t('开通时间'), dateTime(person.createdAt)],
    [t('最近登录'), person.lastLoginAt === null ? t('从未登录') : dateTime(person.lastLoginAt)],
    ...(side === 'own' ? ([[t('客服坐席账号'), <SupportAccount key="desk" person={person} />]] as const) : []),
  ]
}

function SupportAccount({ person }: { readonly person: Person }) {
  const [account, setAccount] = useState(person.supportAccount)
  const { operatorId, name } = person
  const open = useAction(personEndpoints.createSupportAccount, {
    stale: peopleCalls,
    done: () => t('已为“{{name}}”开通客服坐席账号', { name }),
    onDone: ({ data }) => setAccount(data.supportAccount),
  })
  if (account !== null) return <code>{account}</code>
  return (
    <Button busy={open.isBusy} disabled={person.state !== 'enabled'} onClick={() => open.send({ operatorId })}>
      {t('开通')}
    </Button>
  )
}
