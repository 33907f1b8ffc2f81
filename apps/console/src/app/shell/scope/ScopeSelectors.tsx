import { useEffect, useState, type ReactElement } from 'react'
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { holdsPermission } from '@saddle/contract/permissions.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { onDemand } from '#kit/onDemand.tsx'
import { usePermissions } from '#kit/session/permissions.ts'
import { currentSelection, useScope, setSelection, type Selection } from '#kit/session/scope.ts'
import { Icon, type IconName } from '../Icon.tsx'
import { readAgents, readAreas } from './lists.ts'
import { chosenOf, scopeLabel, selectionOf, stillGranted, type ScopeOption } from './rules.ts'

const agentCode = '01'
const SelectModal = onDemand(
  () => import('#kit/ui/SelectModal.tsx'),
  (props) => props.onCancel(),
)

/** Lists of selectors change rarely; they are read again when opened after this time. */
const listStaleMs = minuteMs

/** The two selectors of the header. Franchisees can be chosen only with code 01 (section 6). */
export function ScopeSelectors(): ReactElement {
  const { held } = usePermissions()
  const mayChooseAgents = holdsPermission(held, agentCode)
  useEffect(() => {
    // A selection made before the permission was removed could not be undone on the screen.
    const { agentIds, ...rest } = currentSelection()
    if (!mayChooseAgents && agentIds !== undefined) setSelection(rest)
  }, [mayChooseAgents])
  return (
    <fieldset className="shell-scope" aria-label={t('数据范围')}>
      {mayChooseAgents && <AgentSelector />}
      <AreaSelector />
    </fieldset>
  )
}

function AgentSelector(): ReactElement {
  const { selection } = useScope()
  const narrow = useNarrow()
  const query = useQuery({
    queryKey: ['scope-agents'],
    queryFn: ({ signal }) => readAgents(signal).then(keepGrantedAgents),
    ...listQuery,
  })
  return (
    <Selector
      icon="agent"
      title={t('加盟商')}
      query={query}
      selected={selection.agentIds}
      // Areas belong to franchisees: another choice of these starts again with all areas.
      onSelect={(agentIds) => narrow(agentIds === undefined ? {} : { agentIds })}
    />
  )
}

function AreaSelector(): ReactElement {
  const { selection } = useScope()
  const { agentIds, opAreaIds } = selection
  const narrow = useNarrow()
  const query = useQuery({
    queryKey: ['scope-areas', agentIds ?? 'all'],
    queryFn: ({ signal }) => readAreas(agentIds, signal).then(keepGrantedAreas),
    ...listQuery,
  })
  return (
    <Selector
      icon="area"
      title={t('服务区')}
      query={query}
      selected={opAreaIds}
      onSelect={(chosen) => narrow({ ...(agentIds && { agentIds }), ...(chosen && { opAreaIds: chosen }) })}
    />
  )
}

/** Removes a franchisee from the selection that is no longer granted, because every call would be rejected. */
function keepGrantedAgents(list: readonly ScopeOption[]): readonly ScopeOption[] {
  const { agentIds, ...rest } = currentSelection()
  const left = stillGranted(agentIds, list)
  if (left?.length !== agentIds?.length) setSelection({ ...rest, ...(left && { agentIds: left }) })
  return list
}

function keepGrantedAreas(list: readonly ScopeOption[]): readonly ScopeOption[] {
  const { opAreaIds, ...rest } = currentSelection()
  const left = stillGranted(opAreaIds, list)
  if (left?.length !== opAreaIds?.length) setSelection({ ...rest, ...(left && { opAreaIds: left }) })
  return list
}

const listQuery = { staleTime: listStaleMs, retry: 1 } as const

/** Stores a selection; queries of another selection are read again. */
function useNarrow(): (next: Selection) => void {
  const client = useQueryClient()
  return (next) => {
    setSelection(next)
    void client.invalidateQueries({ predicate: (query) => !String(query.queryKey[0]).startsWith('scope-agents') })
  }
}

interface SelectorProps {
  readonly icon: IconName
  readonly title: string
  readonly query: UseQueryResult<readonly ScopeOption[]>
  readonly selected: readonly number[] | undefined
  readonly onSelect: (chosen: number[] | undefined) => void
}

function Selector({ icon, title, query, selected, onSelect }: SelectorProps): ReactElement {
  const [open, setOpen] = useState(false)
  const label = scopeLabel(selected, t)
  const show = async (): Promise<void> => {
    const { data, error } = query.data === undefined ? await query.refetch() : query
    if (data !== undefined) setOpen(true)
    else if (error !== null) notify.error({ title: t('错误'), text: t(error.message) })
  }
  const chosen = chosenOf(selected, query.data ?? [])
  return (
    <>
      <button
        type="button"
        className="shell-scope-button"
        data-narrowed={selected !== undefined}
        aria-haspopup="dialog"
        aria-label={`${title} ${label}`}
        title={`${title} · ${label}`}
        onClick={() => void show()}
      >
        <Icon name={icon} size={16} />
        <span className="shell-scope-title">{title}</span> <b>{label}</b>
        <Icon name="down" size={12} />
      </button>
      {open && query.data !== undefined && (
        <SelectModal
          rows={query.data.map((option) => ({ ...option, selected: chosen.has(option.id) }))}
          onCancel={() => setOpen(false)}
          onConfirm={(ids) => {
            setOpen(false)
            onSelect(selectionOf(ids, query.data))
          }}
        />
      )}
    </>
  )
}
