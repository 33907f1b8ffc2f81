import type { ReactNode } from 'react'
import { auditActionTitles } from '@saddle/contract/audit/actions.ts'
import type { AuditFilter, AuditRecord } from '@saddle/contract/audit/records.ts'
import {
  auditSubjectTitle,
  auditSubjectTitles,
  logCategorySubjects,
  type LogCategory,
} from '@saddle/contract/audit/subjects.ts'
import { phonePattern } from '@saddle/contract/constants.ts'
import { agentEndpoints } from '@saddle/contract/organisation/agents.ts'
import { t } from '#kit/i18n/index.ts'
import type { Choice } from '#kit/list/filters/panels.tsx'
import { days, keyword, many, one } from '#kit/list/filters/specs.tsx'
import type { FilterSpec, PanelProps } from '#kit/list/filters/types.ts'
import { useEndpoint } from '#kit/query.ts'

type Spec = FilterSpec<AuditFilter>

/** Actions that a log can hold, by how their codes begin. */
const actionsOfLog: Readonly<Record<LogCategory, RegExp>> = {
  operator: /./,
  vehicle: /^(?:vehicle\.(?!export)|alarm\.|repair\.)/,
  device: /^(?:device\.|session\.|totp\.|onboard\.)/,
}

/** The conditions of a log; `rows` name the person and the thing that a link has led to. */
export function logFilters(options: {
  readonly category: LogCategory
  readonly companies: readonly Choice[]
  readonly rows: readonly AuditRecord[]
}): readonly Spec[] {
  const { category, companies, rows } = options
  return [
    days<AuditFilter>(t('时间范围'), { withTime: true }),
    keyword<AuditFilter>(t('姓名或完整手机号'), {
      names: ['operator', 'phone', 'operatorId'],
      read: (text) => (phonePattern.test(text) ? { phone: text } : { operator: text }),
      write: ({ operator, phone }) => phone ?? operator ?? '',
    }),
    keyword<AuditFilter>(t('车辆编号、IMEI 或名称'), {
      names: ['subject', 'subjectId'],
      read: (text) => ({ subject: text }),
      write: ({ subject }) => subject ?? '',
    }),
    actions(category),
    subjectKinds(category),
    ...(companies.length < 2 ? [] : [one<AuditFilter>('agentId', t('公司'), companies)]),
    linked(t('人员'), ['operatorId'], ({ operatorId }) =>
      operatorId === undefined
        ? null
        : (rows.find((row) => row.operatorId === operatorId)?.operatorName ?? `#${operatorId}`),
    ),
    linked(t('对象'), ['subjectId'], ({ subjectKind, subjectId }) => {
      if (subjectKind === undefined || subjectId === undefined) return null
      const named = rows.find((row) => row.subjectKind === subjectKind && row.subjectId === subjectId)
      return `${t(auditSubjectTitle(subjectKind))} ${named?.subjectName ?? subjectId.slice(0, 12)}`
    }),
  ]
}

function actions(category: LogCategory): Spec {
  const choices = Object.entries(auditActionTitles)
    .filter(([action]) => actionsOfLog[category].test(action))
    .map(([value, title]) => ({ value, label: t(title) }))
  const spec = many<AuditFilter>('actions', t('动作'), choices)
  // All of them are no condition, and more than the server searches for.
  return changing(spec, (part) => (part.actions?.length === choices.length ? { ...part, actions: undefined } : part))
}

function subjectKinds(category: LogCategory): Spec {
  const kinds = logCategorySubjects[category] ?? Object.keys(auditSubjectTitles)
  const choices = kinds.map((value) => ({ value, label: t(auditSubjectTitle(value)) }))
  const spec = one<AuditFilter>('subjectKind', t('对象种类'), choices)
  // The id of one kind means nothing for another.
  return changing({ ...spec, names: ['subjectKind', 'subjectId'] }, (part) => ({ ...part, subjectId: undefined }))
}

function changing(spec: Spec, adjust: (part: AuditFilter) => Partial<Record<keyof AuditFilter, unknown>>): Spec {
  const { panel } = spec
  if (panel === null) return spec
  return {
    ...spec,
    panel: (props: PanelProps<AuditFilter>) =>
      panel({ ...props, change: (part) => props.change(adjust(part as AuditFilter)) }),
  }
}

/** What a link has narrowed the log to: said in the bar, and taken off there. */
function linked(title: string, names: Spec['names'], words: (filter: Partial<AuditFilter>) => string | null): Spec {
  return {
    names,
    title: `${title} `,
    words,
    panel: null,
    field: ({ filter, change }): ReactNode => {
      const said = words(filter)
      if (said === null) return null
      return (
        <span className="filter" data-on="true">
          <span className="filter-button">
            <span className="filter-title">{t('{{title}}：', { title })}</span>
            <b>{said}</b>
          </span>
          <button
            type="button"
            className="filter-off"
            aria-label={t('去掉“{{title}}”', { title })}
            onClick={() => change(Object.fromEntries(names.map((name) => [name, undefined])))}
          >
            ×
          </button>
        </span>
      )
    },
  }
}

/** The companies that the reader may look at. */
export function useCompanies(): readonly Choice[] {
  const { data } = useEndpoint(agentEndpoints.listAgentAccounts, {}, { staleMs: 300_000, quiet: true })
  return (data?.data.rows ?? []).map((row) => ({ value: row.agentId, label: row.company }))
}
