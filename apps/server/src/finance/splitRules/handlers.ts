import type { InputOf } from '@saddle/contract/endpoint.ts'
import { AppError } from '@saddle/contract/errors.ts'
import {
  splitAheadDays,
  splitPreviewDays,
  splitTermsFields,
  splitTermsList,
  usualStatementPeriod,
  type SplitPlace,
  type SplitTermsFilter,
  type SplitTermsInput,
  type SplitTermsRow,
  type splitRuleEndpoints,
} from '@saddle/contract/finance/splitRules.ts'
import type { SplitTerms } from '@saddle/contract/finance/splitTerms.ts'
import type { termChangeEndpoints } from '@saddle/contract/finance/termChanges.ts'
import { addDays, businessDayOf } from '@saddle/contract/time.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf } from '#kit/db/rows.ts'
import { serveComputedList } from '#kit/list/computedList.ts'
import type { MoneyDeps } from '../deps.ts'
import { selectForeignAreas } from '../depositSettings/store.ts'
import { createChangeHandlers, sharesText } from '../termChanges/handlers.ts'
import { previewTerms } from './preview.ts'
import { ensureParties, hasArea, insertTerms, selectParent, selectPlaces, selectVersions, versionsOf } from './store.ts'

type Deps = Pick<MoneyDeps, 'kit' | 'audit'>
type All = Handlers<typeof splitRuleEndpoints>
type Served = All & Handlers<typeof termChangeEndpoints>

/** Who gets which part of a company's income: every version with who made it, the preview of a new one, and the reserve. */
export function createTermsHandlers(deps: Deps): Served {
  const { kit } = deps
  return {
    ...createListing(deps),
    ...createChanges(deps),
    ...createChangeHandlers(deps),

    listSplitPlaces: async ({ name }, call) => {
      const places = (await readPlaces(deps, call)).filter(
        (place) =>
          name === undefined ||
          [place.company, place.areaName ?? ''].some((text) => text.toLowerCase().includes(name.toLowerCase())),
      )
      return { suc: true, data: { list: places, firstDay: earliestDay(kit) } }
    },

    previewSplitTerms: async ({ agentId, areaId, terms }, { scope }) => {
      if (!scope.agentIds.includes(agentId)) throw new AppError('foreign_scope')
      if (areaId !== undefined && !scope.areaIds.includes(areaId)) throw new AppError('not_found')
      const [cursor] = await kit.db.read(scope, (k) =>
        cursorRow.select`
          from split_cursor c where c.agent_id = ${agentId} and c.agent_id = any (${scope.agentIds}::bigint[])`.compile(
          k,
        ),
      )
      const lastDay = addDays(cursor?.open_day ?? businessDayOf(kit.clock.now()), -1)
      const firstDay = addDays(lastDay, 1 - splitPreviewDays)
      const place = { agentId, areaId: areaId ?? null, firstDay, lastDay }
      const preview = await previewTerms(kit.db, scope, { ...place, terms: numbered(terms) })
      return { suc: true, data: { firstDay, lastDay, ...preview } }
    },
  }
}

const cursorRow = rowOf('split_cursor', 'c', ['open_day'])

/** Parties of a draft have no ids yet; a preview needs none that last. */
const numbered = ({ parties, ...terms }: SplitTermsInput): SplitTerms => ({
  ...terms,
  parties: parties.map(({ name, share }, index) => ({ partyId: index + 1, name, share })),
})

/** The income of today is divided while the day goes on, so a change holds from tomorrow. */
const earliestDay = ({ clock }: Pick<Deps['kit'], 'clock'>): string => addDays(businessDayOf(clock.now()), 1)

function matches(row: SplitTermsRow, { states, agentIds, areaIds, name }: SplitTermsFilter): boolean {
  const names = [row.areaName ?? '', row.company, ...row.terms.parties.map((party) => party.name)]
  return (
    (states === undefined || states.includes(row.state)) &&
    (agentIds === undefined || agentIds.includes(row.agentId)) &&
    (areaIds === undefined || (row.areaId !== null && areaIds.includes(row.areaId))) &&
    (name === undefined || names.some((text) => text.toLowerCase().includes(name.toLowerCase())))
  )
}

async function readVersions({ kit }: Deps, { scope }: SessionCall): Promise<SplitTermsRow[]> {
  const rows = await kit.db.read(scope, (k) => selectVersions(scope).compile(k))
  return versionsOf(rows, businessDayOf(kit.clock.now()))
}

function createListing(deps: Deps): Pick<All, 'listSplitTerms' | 'exportSplitTerms'> {
  const list = serveComputedList(deps, splitTermsList, {
    name: 'split-terms',
    all: async (filter, call) => (await readVersions(deps, call)).filter((row) => matches(row, filter)),
    sorted: (rows, sort, direction) => {
      const sign = direction === 'asc' ? 1 : -1
      const compare = {
        firstDay: (a: SplitTermsRow, b: SplitTermsRow) => a.firstDay.localeCompare(b.firstDay) || a.id - b.id,
        madeAt: (a: SplitTermsRow, b: SplitTermsRow) => a.madeAt - b.madeAt || a.id - b.id,
      }[sort]
      return (rows as readonly SplitTermsRow[]).toSorted((a, b) => sign * compare(a, b))
    },
    file: {
      action: 'split.terms_export',
      fields: splitTermsFields,
      present: (row) => ({ ...row, shares: sharesText(row.terms) }),
    },
  })
  return { listSplitTerms: list.page, exportSplitTerms: list.file }
}

/** Each company and area of the scope with the terms that hold for it today. */
async function readPlaces(deps: Deps, call: SessionCall): Promise<SplitPlace[]> {
  const { scope, caller } = call
  const [rows, versions] = await Promise.all([
    deps.kit.db.read(scope, (k) => selectPlaces(scope).compile(k)),
    readVersions(deps, call),
  ])
  const of = (agentId: number, areaId: number | null, state: SplitTermsRow['state']): SplitTermsRow | undefined =>
    versions.find((row) => row.agentId === agentId && row.areaId === areaId && row.state === state)
  return rows.map((row) => {
    const { agent_id: agentId, area_id: areaId } = row
    const own = of(agentId, areaId, 'current')
    const held = own ?? of(agentId, null, 'current')
    return {
      agentId,
      company: row.company,
      areaId,
      areaName: row.area_name,
      termsId: held?.id ?? null,
      inherits: areaId !== null && own === undefined,
      terms: held?.terms ?? null,
      firstDay: held?.firstDay ?? null,
      comingDay: of(agentId, areaId, 'coming')?.firstDay ?? null,
      reserveCents: row.reserve_cents,
      statementPeriod: row.statement_period,
      canChange: row.parent_id === null || caller.agentId !== agentId,
    }
  })
}

function createChanges(deps: Deps): Pick<All, 'saveSplitTerms' | 'saveSplitReserve' | 'saveStatementPeriod'> {
  return {
    saveSplitTerms: async (wanted, call) => ({ suc: true, data: await save(deps, call, wanted) }),

    saveSplitReserve: async ({ agentId, cents, reason }, call) => {
      await addVersion(deps, call, {
        agentId,
        reason,
        action: 'split.reserve',
        add: async (tx, made) => {
          const { rows } = await reserveRow.select`
            from split_reserve v where v.agent_id = ${agentId} order by v.id desc limit 1`.execute(tx)
          await tx
            .insertInto('split_reserve')
            .values({ ...made, cents })
            .execute()
          return { before: { cents: rows[0]?.cents ?? 0 }, after: { cents } }
        },
      })
      return { suc: true, data: { cents } }
    },

    saveStatementPeriod: async ({ agentId, period, reason }, call) => {
      await addVersion(deps, call, {
        agentId,
        reason,
        action: 'split.period',
        add: async (tx, made) => {
          const { rows } = await periodRow.select`
            from split_statement_period p where p.agent_id = ${agentId} order by p.id desc limit 1`.execute(tx)
          await tx
            .insertInto('split_statement_period')
            .values({ ...made, period })
            .execute()
          return { before: { period: rows[0]?.period ?? usualStatementPeriod }, after: { period } }
        },
      })
      return { suc: true, data: { period } }
    },
  }
}

interface NewVersion {
  readonly agent_id: number
  readonly reason: string
  readonly made_at: Date
  readonly made_by_id: number
  readonly made_by: string
}

/** Adds what holds for a company from now on, with who made it and why; the company reads it in its audit log. */
async function addVersion(
  deps: Deps,
  call: SessionCall,
  version: {
    readonly agentId: number
    readonly reason: string
    readonly action: 'split.reserve' | 'split.period'
    readonly add: (tx: Tx, made: NewVersion) => Promise<{ readonly before: object; readonly after: object }>
  },
): Promise<void> {
  const { agentId, reason, action, add } = version
  const { scope, caller } = call
  await checkMayChange(deps, call, { agentId })
  await deps.kit.db.withScope(scope, async (tx) => {
    const { before, after } = await add(tx, {
      agent_id: agentId,
      reason,
      made_at: new Date(deps.kit.clock.now()),
      made_by_id: caller.operatorId,
      made_by: caller.name,
    })
    await deps.audit.act(tx, call, {
      agentId,
      action,
      subjectKind: 'agent',
      subjectId: agentId,
      before: { ...before },
      after: { ...after, reason },
    })
  })
}

const reserveRow = rowOf('split_reserve', 'v', ['cents'])
const periodRow = rowOf('split_statement_period', 'p', ['period'])

/** Terms and reserve are set from above. Throws foreign_scope and split_set_above. */
export async function checkMayChange(
  { kit }: Deps,
  { scope, caller }: SessionCall,
  { agentId, areaId }: { readonly agentId: number; readonly areaId?: number | undefined },
): Promise<void> {
  const [company] = await kit.db.read(scope, (k) => selectParent(scope, agentId).compile(k))
  if (company === undefined) throw new AppError('foreign_scope')
  if (areaId === undefined) {
    // Only who has all areas of a company sets what holds for all of them.
    const [foreign] = await kit.db.systemRead((k) => selectForeignAreas(scope, agentId).compile(k))
    if (foreign?.count !== 0) throw new AppError('foreign_scope')
  }
  if (company.parent_id !== null && caller.agentId === agentId) throw new AppError('split_set_above')
}

async function save(
  deps: Deps,
  call: SessionCall,
  { agentId, areaId, firstDay, terms, reason }: InputOf<typeof splitRuleEndpoints.saveSplitTerms>,
): Promise<{ id: number; version: number }> {
  const { kit, audit } = deps
  const { scope, caller } = call
  await checkMayChange(deps, call, { agentId, areaId })
  const earliest = earliestDay(kit)
  if (firstDay < earliest) throw new AppError('split_day_closed', { values: { day: earliest } })
  if (firstDay > addDays(earliest, splitAheadDays))
    throw new AppError('bad_request', { values: { detail: 'firstDay' } })
  return kit.db.withScope(scope, async (tx) => {
    if (areaId !== undefined && !(await hasArea(tx, scope, { agentId, areaId }))) throw new AppError('not_found')
    const ids = await ensureParties(
      tx,
      agentId,
      terms.parties.map(({ name }) => name),
    )
    const parties = terms.parties.map(({ name, share }) => ({ partyId: ids.get(name) ?? 0, name, share }))
    const made = await insertTerms(tx, {
      agentId,
      areaId: areaId ?? null,
      firstDay,
      terms: { ...terms, parties },
      reason,
      madeAt: kit.clock.now(),
      madeById: caller.operatorId,
      madeBy: caller.name,
    })
    await audit.act(tx, call, {
      agentId,
      ...(areaId !== undefined && { areaId }),
      action: 'split.terms',
      subjectKind: areaId === undefined ? 'agent' : 'area',
      subjectId: areaId ?? agentId,
      after: { version: made.version, firstDay, reason, shares: sharesText({ ...terms, parties }) },
    })
    return { id: made.id, version: made.version }
  })
}
