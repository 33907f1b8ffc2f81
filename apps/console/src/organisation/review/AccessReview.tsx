import Select from 'antd/es/select'
import { useState, type ReactNode } from 'react'
import { phonePattern } from '@saddle/contract/constants.ts'
import { personEndpoints } from '@saddle/contract/organisation/people.ts'
import { permissionTree } from '@saddle/contract/permissions.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { usePermissions } from '#kit/session/permissions.ts'
import { Empty } from '#kit/ui/states.tsx'
import { useLater } from '#kit/useLater.ts'
import { HolderList } from './HolderList.tsx'
import { PersonAccess } from './PersonAccess.tsx'
import './review.css'

/** What is reviewed: one person, or one permission. */
export type Review = { readonly operatorId: number } | { readonly code: string } | null

interface Props {
  readonly review: Review
  readonly onReview: (review: Review) => void
}

/** Pick a person: everything they may do, and where. Pick a permission: everybody who has it. */
export function AccessReview({ review, onReview }: Props): ReactNode {
  const [byCode, setByCode] = useState(review !== null && 'code' in review)
  const operatorId = review !== null && 'operatorId' in review ? review.operatorId : null
  const code = review !== null && 'code' in review ? review.code : null
  const turn = (to: boolean) => {
    setByCode(to)
    onReview(null)
  }
  return (
    <section className="page-card">
      <search className="org-bar" aria-label={t('权限审查')}>
        <span className="org-switch">
          <Button aria-pressed={!byCode} onClick={() => turn(false)}>
            {t('按人查')}
          </Button>
          <Button aria-pressed={byCode} onClick={() => turn(true)}>
            {t('按权限查')}
          </Button>
        </span>
        {byCode ? (
          <CodeChoice value={code} onChange={(next) => onReview({ code: next })} />
        ) : (
          <PersonChoice value={operatorId} onChange={(next) => onReview({ operatorId: next })} />
        )}
      </search>
      {operatorId !== null && <PersonAccess key={operatorId} operatorId={operatorId} />}
      {code !== null && <HolderList key={code} code={code} onPerson={(next) => onReview({ operatorId: next })} />}
      {review === null && (
        <Empty
          title={t('权限审查')}
          text={
            byCode
              ? t('选择一个权限，查看谁持有它、来自哪个角色。')
              : t('选择一个人，查看其全部权限与服务区，以及各自的来源。')
          }
        />
      )}
    </section>
  )
}

interface PersonChoiceProps {
  readonly value: number | null
  readonly onChange: (operatorId: number) => void
}

const offered = 30

function PersonChoice({ value, onChange }: PersonChoiceProps) {
  const { held } = usePermissions()
  const [typed, setTyped] = useState('')
  const keyword = useLater(typed.trim())
  const word = phonePattern.test(keyword) ? { phone: keyword } : { keyword }
  const input = { filter: keyword === '' ? {} : word, pageSize: offered }
  const options = { keepPrevious: true, quiet: true }
  const own = useEndpoint(personEndpoints.listUsers, input, options)
  const below = useEndpoint(personEndpoints.agentAccounts, input, { ...options, enabled: held.has('1101') })
  const shown = useEndpoint(personEndpoints.personInfo, { operatorId: value ?? 0 }, { enabled: value !== null })
  const found = [...(own.data?.data.list ?? []), ...(below.data?.data.list ?? [])]
  const chosen = shown.data?.data
  const isMissing = chosen !== undefined && found.every((person) => person.operatorId !== chosen.operatorId)
  const list = isMissing ? [chosen, ...found] : found
  return (
    <Select
      className="org-find"
      showSearch={{ filterOption: false, onSearch: setTyped }}
      loading={own.isFetching || below.isFetching}
      placeholder={t('姓名，或完整手机号')}
      aria-label={t('选择一个人')}
      value={value}
      options={list.map((person) => ({
        value: person.operatorId,
        label: `${person.name} · ${person.company} · ${person.role?.name ?? t('未分配')}`,
      }))}
      onChange={onChange}
    />
  )
}

interface CodeChoiceProps {
  readonly value: string | null
  readonly onChange: (code: string) => void
}

function CodeChoice({ value, onChange }: CodeChoiceProps) {
  const options = permissionTree
    .filter((row) => row.code !== 'all')
    .map(({ code, title }) => ({ value: code, label: `${t(title)} ${code}` }))
  return (
    <Select
      className="org-find"
      showSearch={{ optionFilterProp: 'label' }}
      placeholder={t('搜索权限名称或编码')}
      aria-label={t('选择一个权限')}
      value={value}
      options={options}
      onChange={onChange}
    />
  )
}
