import { useState, type ReactNode } from 'react'
import type { AuditFilter, AuditNames } from '@saddle/contract/audit/records.ts'
import {
  auditActionTitles,
  logCategorySubjects,
  auditSubjectTitle,
  auditSubjectTitles,
  type LogCategory,
} from '@saddle/contract/audit/words.ts'
import { agentEndpoints } from '@saddle/contract/organisation/agents.ts'
import { dayMs } from '@saddle/contract/time.ts'
import { serverNow } from '#kit/clock.ts'
import { dateOnly } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Many, One } from '#kit/list/Choices.tsx'
import { RangeButton } from '#kit/list/filters/RangeButton.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { spanOf } from './link.ts'

interface Props {
  readonly category: LogCategory
  readonly filter: AuditFilter
  readonly names: AuditNames
  readonly onFilter: (filter: AuditFilter) => void
}

/** Acts that a log can hold, by how their codes begin. */
const actionsOfBook: Readonly<Record<LogCategory, RegExp>> = {
  operator: /./,
  vehicle: /^(?:vehicle\.(?!export)|alarm\.|repair\.)/,
  device: /^(?:device\.|session\.|totp\.|onboard\.)/,
}
const presets = [1, 7, 30] as const

export function LogFilter({ category, filter, names, onFilter }: Props): ReactNode {
  const change = (part: Readonly<Record<string, unknown>>) => onFilter({ ...filter, ...part })
  const count = Object.keys(filter).length
  const kinds = logCategorySubjects[category] ?? Object.keys(auditSubjectTitles)
  const actions = Object.entries(auditActionTitles).filter(([action]) => actionsOfBook[category].test(action))
  return (
    <search className="filter-bar" aria-label={t('筛选条件')}>
      <div className="filter-row">
        <Span filter={filter} onSpan={change} />
      </div>
      <div className="filter-row">
        <Words
          label={t('姓名或完整手机号')}
          value={filter.operator ?? ''}
          onChange={(operator) => change({ operator: operator || undefined, operatorId: undefined })}
        />
        <Words
          label={t('车辆编号、IMEI 或名称')}
          value={filter.subject ?? ''}
          onChange={(subject) => change({ subject: subject || undefined, subjectId: undefined })}
        />
        <Many
          label={t('动作')}
          value={filter.actions}
          options={actions.map(([value, title]) => ({ value, label: t(title) }))}
          onChange={(chosen) => change({ actions: chosen })}
        />
        <One
          label={t('对象种类')}
          value={filter.subjectKind}
          options={kinds.map((kind) => ({ value: kind, label: t(auditSubjectTitle(kind)) }))}
          onChange={(subjectKind) => change({ subjectKind, subjectId: undefined })}
        />
        <Companies value={filter.agentId} onChange={(agentId) => change({ agentId })} />
        <Chosen filter={filter} names={names} onChange={change} />
        {count > 0 && (
          <Button look="quiet" onClick={() => onFilter({})}>
            {t('清除 {{count}} 个条件', { count })}
          </Button>
        )}
      </div>
    </search>
  )
}

/** The one person or thing that a row has led to. */
function Chosen({
  filter,
  names,
  onChange,
}: {
  readonly filter: AuditFilter
  readonly names: AuditNames
  readonly onChange: (part: Readonly<Record<string, unknown>>) => void
}) {
  const { operatorId, subjectKind, subjectId } = filter
  const thing = `${subjectKind}:${subjectId}`
  return (
    <>
      {operatorId !== undefined && (
        <Button look="quiet" onClick={() => onChange({ operatorId: undefined })}>
          {t('人员：{{name}}', { name: names[`operator:${operatorId}`] ?? `#${operatorId}` })} ×
        </Button>
      )}
      {subjectKind !== undefined && subjectId !== undefined && (
        <Button look="quiet" onClick={() => onChange({ subjectKind: undefined, subjectId: undefined })}>
          {t(auditSubjectTitle(subjectKind))} {names[thing] ?? subjectId.slice(0, 12)} ×
        </Button>
      )}
    </>
  )
}

interface SpanProps {
  readonly filter: AuditFilter
  readonly onSpan: (span: { from: number | undefined; to: number | undefined }) => void
}

function Span({ filter, onSpan }: SpanProps) {
  const today = dateOnly(serverNow())
  const from = filter.from === undefined ? '' : dateOnly(filter.from)
  const to = filter.to === undefined ? '' : dateOnly(filter.to - 1)
  const set = (days: { from: string; to: string }) => {
    const span = spanOf(days)
    onSpan({ from: span.from, to: span.to })
  }
  return (
    <fieldset className="log-span" aria-label={t('时间范围')}>
      {presets.map((days) => {
        const first = dateOnly(serverNow() - (days - 1) * dayMs)
        return (
          <Button
            key={days}
            look="quiet"
            aria-pressed={from === first && to === today}
            onClick={() => set({ from: first, to: today })}
          >
            {days === 1 ? t('今天') : t('近 {{count}} 天', { count: days })}
          </Button>
        )
      })}
      <RangeButton
        title={t('时间范围')}
        from={filter.from}
        to={filter.to}
        onChange={(span) => onSpan({ from: span.from, to: span.to })}
      />
    </fieldset>
  )
}

/** Asked for when Enter is pressed or the field is left, not with every letter. */
function Words(props: { readonly label: string; readonly value: string; readonly onChange: (value: string) => void }) {
  const { label, value, onChange } = props
  const [draft, setDraft] = useState({ of: value, text: value })
  const text = draft.of === value ? draft.text : value
  const put = () => {
    if (text.trim() !== value) onChange(text.trim())
  }
  return (
    <input
      type="search"
      className="filter-keyword"
      value={text}
      maxLength={40}
      aria-label={label}
      placeholder={label}
      onChange={(event) => setDraft({ of: value, text: event.target.value })}
      onBlur={put}
      onKeyDown={(event) => {
        if (event.key === 'Enter') put()
      }}
    />
  )
}

function Companies(props: {
  readonly value: number | undefined
  readonly onChange: (agentId: number | undefined) => void
}) {
  const { data } = useEndpoint(agentEndpoints.listAgentAccounts, {}, { staleMs: 300_000, quiet: true })
  const rows = data?.data.rows ?? []
  if (rows.length < 2) return null
  return (
    <One
      label={t('公司')}
      value={props.value}
      options={rows.map((row) => ({ value: row.agentId, label: row.company }))}
      onChange={props.onChange}
    />
  )
}
