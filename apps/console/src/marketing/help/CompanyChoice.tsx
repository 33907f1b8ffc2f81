import { useState, type ReactNode } from 'react'
import { agentEndpoints } from '@saddle/contract/organisation/agents.ts'
import { areaEndpoints } from '@saddle/contract/organisation/areas.ts'
import type { Option } from '#kit/form/choiceFields.tsx'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'
import { SelectOne } from '#kit/ui/SelectOne.tsx'

interface Company {
  /** Null until companies and areas are there. */
  readonly agentId: number | null
  readonly companies: readonly Option<number>[]
  /** Areas of the chosen company. */
  readonly areas: readonly Option<number>[]
  readonly areasOf: (agentId: number) => readonly Option<number>[]
  readonly choose: (agentId: number) => void
}

/** The company of something new: the first one that has areas, until the person chooses another. */
export function useCompany(): Company {
  const areas = useEndpoint(areaEndpoints.listServiceAreas, {}, { staleMs: 300_000 })
  const companies = useEndpoint(agentEndpoints.listAgentAccounts, {}, { staleMs: 300_000 })
  const [chosen, choose] = useState<number | null>(null)
  const rows = areas.data?.data.list ?? []
  const offered = companies.data?.data.rows ?? []
  const isReady = areas.data !== undefined && companies.data !== undefined
  const agentId = isReady ? (chosen ?? rows[0]?.agentId ?? offered[0]?.agentId ?? null) : null
  const areasOf = (of: number): readonly Option<number>[] =>
    rows.filter((row) => row.agentId === of).map(({ id, name }) => ({ value: id, label: name }))
  return {
    agentId,
    companies: offered.map((row) => ({ value: row.agentId, label: row.company })),
    areas: agentId === null ? [] : areasOf(agentId),
    areasOf,
    choose,
  }
}

/** Chooses the company; nothing where there is one alone. */
export function CompanyChoice({
  agentId,
  companies,
  choose,
}: Pick<Company, 'agentId' | 'companies' | 'choose'>): ReactNode {
  if (companies.length < 2) return null
  return (
    <label className="form-field">
      <span>{t('加盟商')}</span>
      <SelectOne
        label={t('加盟商')}
        className="form-select"
        value={agentId ?? 0}
        options={companies}
        onChange={choose}
        isSearched
      />
    </label>
  )
}
