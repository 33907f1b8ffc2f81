import Drawer from 'antd/es/drawer'
import Select from 'antd/es/select'
import { useState, type ReactNode } from 'react'
import { operatorLevels, phoneLength, phonePattern } from '@saddle/contract/constants.ts'
import { operatorLevelLabels, personEndpoints, type Person } from '@saddle/contract/organisation/people.ts'
import { roleEndpoints } from '@saddle/contract/organisation/roles.ts'
import { call } from '#kit/api/client.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { AreaPicker } from './AreaPicker.tsx'
import { peopleReadings, type PersonSource } from './sources.ts'
import { useAct } from './useAct.ts'
import './parts.css'

interface Props {
  readonly source: PersonSource
  /** Null: somebody new. */
  readonly person: Person | null
  /** The company of the person; null: the own one. */
  readonly agentId: number | null
  /** What a new person begins with. */
  readonly level?: Person['level']
  readonly onClose: () => void
}

const drawerPx = 460

/** One person: who they are, what they may do, and where. */
export function PersonDrawer(props: Props): ReactNode {
  const { person, onClose } = props
  return (
    <Drawer
      open
      size={drawerPx}
      title={person === null ? (props.source.side === 'own' ? t('新增用户') : t('开通账号')) : person.name}
      onClose={onClose}
      rootClassName="org-drawer"
    >
      {person === null ? <Form {...props} whole={null} /> : <Known {...props} operatorId={person.operatorId} />}
    </Drawer>
  )
}

/** Read anew and in full: a list hides the number, and what is edited must be what is there now. */
function Known(props: Props & { readonly operatorId: number }) {
  const { data, error, refetch } = useEndpoint(personEndpoints.personInfo, { operatorId: props.operatorId })
  const [base, setBase] = useState<Person | undefined>()
  if (base === undefined && data !== undefined) setBase(data.data)
  if (base !== undefined) return <Form {...props} whole={base} />
  return error === null ? <Loading /> : <ErrorState error={error} onRetry={() => void refetch()} />
}

interface Draft {
  readonly phone: string
  readonly name: string
  readonly level: Person['level']
  readonly roleId: number | null
  readonly allAreas: boolean
  readonly areas: Person['areas']
}

function draftOf(whole: Person | null, level: Person['level'] = operatorLevels.operator): Draft {
  if (whole === null) return { phone: '', name: '', level, roleId: null, allAreas: true, areas: [] }
  const { phone, name, role, allAreas, areas } = whole
  return { phone, name, level: whole.level, roleId: role?.id ?? null, allAreas, areas }
}

function faultsOf({ phone, name, allAreas, areas }: Draft, whole: Person | null) {
  // Areas that the caller does not see stay as they are: of such a person none may be shown.
  const mayHaveOthers = whole !== null && !whole.allAreas && whole.areas.length === 0
  return {
    phone: whole === null && !phonePattern.test(phone) ? t('手机号码格式不正确') : null,
    name: name.trim() === '' ? t('请填写姓名') : null,
    areas:
      !allAreas && areas.length === 0 && !mayHaveOthers ? t('请至少选择一个服务区，否则登录后看不到任何数据') : null,
  }
}

function Form({ source, whole, agentId, level, onClose }: Props & { readonly whole: Person | null }) {
  const [draft, setDraft] = useState(() => draftOf(whole, level))
  const [isTried, setTried] = useState(false)
  const set = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  const faults = faultsOf(draft, whole)
  const save = useAct(
    () => {
      const content = {
        name: draft.name.trim(),
        level: draft.level,
        roleId: draft.roleId,
        allAreas: draft.allAreas,
        areaIds: draft.allAreas ? [] : draft.areas.map((area) => area.id),
      }
      return whole === null ? source.create(draft.phone, content, agentId) : source.change(whole, content)
    },
    {
      invalidates: peopleReadings,
      onSuccess: ({ name }) => {
        onClose()
        notify.success({
          text: whole === null ? t('已新增“{{name}}”', { name }) : t('已保存“{{name}}”，即刻生效', { name }),
        })
      },
    },
  )
  const isFixed = whole !== null && (whole.isSelf || whole.exceeds)
  return (
    <form
      className="person-form"
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (Object.values(faults).every((fault) => fault === null) && !save.isPending) save.mutate(undefined)
      }}
    >
      {isFixed && (
        <output className="org-note">
          {whole.isSelf ? t('您不能修改自己的级别、角色与服务区。') : t('对方的权限或服务区超出您的，您只能查看。')}
        </output>
      )}
      <fieldset disabled={isFixed}>
        <label>
          {t('手机号')}
          <input
            className="org-search"
            type="tel"
            inputMode="numeric"
            maxLength={phoneLength}
            value={draft.phone}
            readOnly={whole !== null}
            aria-invalid={isTried && faults.phone !== null}
            onChange={(event) => set({ phone: event.target.value.replaceAll(/\D/g, '') })}
          />
          {isTried && faults.phone !== null && <small role="alert">{faults.phone}</small>}
        </label>
        <label>
          {t('姓名')}
          <input
            className="org-search"
            maxLength={40}
            value={draft.name}
            aria-invalid={isTried && faults.name !== null}
            onChange={(event) => set({ name: event.target.value })}
          />
          {isTried && faults.name !== null && <small role="alert">{faults.name}</small>}
        </label>
        <Levels value={draft.level} onChange={(next) => set({ level: next })} />
        <RoleChoice
          agentId={agentId}
          value={draft.roleId}
          held={whole?.role ?? null}
          isFixed={isFixed}
          onChange={(roleId) => set({ roleId })}
        />
        <AreaPicker
          agentId={agentId}
          allAreas={draft.allAreas}
          areas={draft.areas}
          isFixed={isFixed}
          onChange={(areas) => set(areas)}
        />
        {isTried && faults.areas !== null && <small role="alert">{faults.areas}</small>}
      </fieldset>
      {whole !== null && <Facts source={source} person={whole} />}
      {!isFixed && (
        <div className="org-foot">
          <Button onClick={onClose}>{t('取消')}</Button>
          <Button type="submit" look="primary" busy={save.isPending}>
            {whole === null ? t('新增“{{name}}”', { name: draft.name.trim() || t('用户') }) : t('保存修改')}
          </Button>
        </div>
      )}
    </form>
  )
}

const levels = Object.values(operatorLevels)

function Levels({
  value,
  onChange,
}: {
  readonly value: Person['level']
  readonly onChange: (to: Person['level']) => void
}) {
  return (
    <fieldset className="org-choices">
      <legend>{t('级别')}</legend>
      {levels.map((level) => (
        <label key={level}>
          <input type="radio" name="level" checked={level === value} onChange={() => onChange(level)} />
          {t(operatorLevelLabels[level])}
        </label>
      ))}
    </fieldset>
  )
}

interface RoleChoiceProps {
  readonly agentId: number | null
  readonly value: number | null
  /** What the person has now: it may be kept even where it could not be given. */
  readonly held: Person['role']
  readonly isFixed: boolean
  readonly onChange: (roleId: number | null) => void
}

function RoleChoice({ agentId, value, held, isFixed, onChange }: RoleChoiceProps) {
  const { data } = useEndpoint(roleEndpoints.enabledRoles, agentId === null ? {} : { agentId })
  const list = data?.data.list ?? []
  const kept = held !== null && list.every((role) => role.id !== held.id) ? [{ ...held, grantable: true }] : []
  const options = [...kept, ...list].map(({ id, name, grantable }) => ({
    value: id,
    label: grantable || id === held?.id ? name : t('{{name}}（含有您没有的权限）', { name }),
    disabled: !grantable && id !== held?.id,
  }))
  return (
    <label>
      {t('角色')}
      <Select
        allowClear
        disabled={isFixed}
        showSearch={{ optionFilterProp: 'label' }}
        placeholder={t('未分配：登录后看不到任何功能')}
        aria-label={t('角色')}
        value={value}
        options={options}
        onChange={(next: number | undefined) => onChange(next ?? null)}
      />
    </label>
  )
}

function Facts({ source, person }: { readonly source: PersonSource; readonly person: Person }) {
  return (
    <dl className="org-facts">
      <div>
        <dt>{t('公司')}</dt>
        <dd>{person.company}</dd>
      </div>
      <div>
        <dt>{t('开通时间')}</dt>
        <dd>{dateTime(person.createdAt)}</dd>
      </div>
      <div>
        <dt>{t('最近登录')}</dt>
        <dd>{person.lastLoginAt === null ? t('从未登录') : dateTime(person.lastLoginAt)}</dd>
      </div>
      {source.side === 'own' && (
        <div>
          <dt>{t('客服坐席账号')}</dt>
          <dd>
            <SupportAccount person={person} />
          </dd>
        </div>
      )}
    </dl>
  )
}

function SupportAccount({ person }: { readonly person: Person }) {
  const [account, setAccount] = useState(person.supportAccount)
  const { operatorId, name } = person
  const open = useAct(
    async () => (await call(personEndpoints.createSupportAccount, { operatorId })).data.supportAccount,
    {
      invalidates: peopleReadings,
      onSuccess: (made) => {
        setAccount(made)
        notify.success({ text: t('已为“{{name}}”开通客服坐席账号', { name }) })
      },
    },
  )
  if (account !== null) return <code>{account}</code>
  return (
    <Button busy={open.isPending} disabled={person.state !== 'enabled'} onClick={() => open.mutate(undefined)}>
      {t('开通')}
    </Button>
  )
}
