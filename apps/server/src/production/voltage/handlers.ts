import { AppError } from '@saddle/contract/errors.ts'
import {
  voltageSchemeFields,
  voltageSchemeList,
  type VoltageScheme,
  type voltageEndpoints,
} from '@saddle/contract/production/voltage.ts'
import { differenceBands, voltageLimits, type VoltageReplay } from '@saddle/contract/production/voltageWords.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import { isTaken } from '#kit/db/pgErrors.ts'
import type { Tx } from '#kit/db/pool.ts'
import { serveComputedList } from '#kit/list/computedList.ts'
import type { ProductionDeps } from '../deps.ts'
import { enforce, note, saveDraft, startReplay, withdraw } from './changes.ts'
import { replayTrack } from './replay.ts'
import { thinned } from './replayRules.ts'
import { isSeen, presentScheme, presentVersion, sortedSchemes, type Visibility } from './rules.ts'
import {
  presentExample,
  presentTotals,
  selectBands,
  selectExamples,
  selectModels,
  selectParent,
  selectPresentVersions,
  selectReplays,
  selectSchemes,
  selectTotals,
  selectUse,
  selectVehicle,
  selectVersion,
  selectVersions,
  type ReplayRow,
  type VersionRow,
} from './store.ts'

/**
 * Voltage schemes. A pack is its maker's, as the profile of a model is: its scheme is the platform's and holds for every company.
 * Whoever has vehicles of its models sees it, and what a replay says of those vehicles; only the platform's people change it.
 */
export function createVoltageHandlers(deps: ProductionDeps): Handlers<typeof voltageEndpoints> {
  return { ...createReads(deps), ...createChanges(deps) }
}

type Reads =
  | 'listVoltageSchemes'
  | 'exportVoltageSchemes'
  | 'voltageSchemeDetail'
  | 'voltageReplay'
  | 'voltageReplayTrack'

function createReads(deps: ProductionDeps): Pick<Handlers<typeof voltageEndpoints>, Reads> {
  const { kit } = deps
  const list = serveComputedList(deps, voltageSchemeList, {
    name: 'voltage-schemes',
    sorted: sortedSchemes,
    file: { action: 'voltage.export', fields: voltageSchemeFields },
    all: async ({ text, states, id }, call) => {
      const [visibility, schemes, versions] = await Promise.all([
        visibilityOf(deps, call),
        kit.db.systemRead((k) => selectSchemes().compile(k)),
        kit.db.systemRead((k) => selectPresentVersions(kit.clock.now()).compile(k)),
      ])
      const wanted = text?.toLowerCase() ?? ''
      return schemes
        .map((scheme) => {
          const own = versions.filter((version) => version.scheme_id === scheme.id)
          return presentScheme(scheme, own, { visibility, nowMs: kit.clock.now() })
        })
        .filter((scheme) => scheme !== null)
        .filter((scheme) => id === undefined || scheme.id === id)
        .filter((scheme) => states === undefined || states.includes(scheme.state))
        .filter(({ name, models }) => [name, ...models].some((word) => word.toLowerCase().includes(wanted)))
    },
  })
  return {
    listVoltageSchemes: list.page,
    exportVoltageSchemes: list.file,

    voltageSchemeDetail: async ({ id }, call) => {
      const visibility = await visibilityOf(deps, call)
      const all = await kit.db.systemRead((k) => selectVersions(id).compile(k))
      const scheme = await schemeIn(deps, { id, versions: all, visibility })
      const versions = all.filter((version) => isSeen(visibility, version))
      const ids = versions.map((version) => version.id)
      const [use, replays] = await Promise.all([
        kit.db.read(call.scope, (k) => selectUse(call.scope, ids).compile(k)),
        kit.db.systemRead((k) => selectReplays(ids).compile(k)),
      ])
      const nowMs = kit.clock.now()
      const present = (row: VersionRow) =>
        presentVersion(row, {
          visibility,
          nowMs,
          vehicles: use.find((one) => one.battery_version === row.id)?.vehicles ?? 0,
          replay: replays.find((one) => one.version_id === row.id),
        })
      return { suc: true, data: { scheme, versions: versions.map(present), models: [...visibility.models] } }
    },

    voltageReplay: async ({ versionId }, call) => {
      const { version, replay } = await replayIn(deps, call, versionId)
      return { suc: true, data: replay === undefined ? null : await presentReplay(deps, call, { version, replay }) }
    },

    voltageReplayTrack: async ({ versionId, vehicleId }, call) => {
      const { version, replay } = await replayIn(deps, call, versionId)
      const [vehicle] = await kit.db.read(call.scope, (k) => selectVehicle(call.scope, vehicleId).compile(k))
      if (vehicle === undefined || replay === undefined) throw new AppError('not_found')
      const track = await replayTrack(kit, { replay, version, vehicleId: vehicle.id })
      const points = [...thinned(track, voltageLimits.trackPoints)]
      return {
        suc: true,
        data: { number: vehicle.number, readings: track.length, lowBatteryBelow: vehicle.low_battery_below, points },
      }
    },
  }
}

function createChanges(deps: ProductionDeps): Omit<Handlers<typeof voltageEndpoints>, Reads> {
  return {
    saveVoltageScheme: async ({ id, ...given }, call) => {
      await demandPlatform(deps, call)
      return { suc: true, data: { id: await saveScheme(deps, call, { id, ...given }) } }
    },

    saveVoltageDraft: async ({ schemeId, revision, ...terms }, call) => {
      const id = await change(deps, call, async (tx) => {
        const { rows } = await selectSchemes().execute(tx)
        if (!rows.some((one) => one.id === schemeId)) throw new AppError('not_found')
        const saved = await saveDraft(deps, tx, { terms, schemeId, revision, by: call.caller.name })
        const models = terms.models.map(({ model }) => model).join('、')
        const { hysteresisPercent, loadDropV, chargeRiseV } = terms
        const points = terms.points.map(({ voltageV, percent }) => `${voltageV} V ${percent}%`).join('，')
        const after = { points, models, hysteresisPercent, loadDropV, chargeRiseV }
        await note(deps, tx, call, { action: 'voltage.draft', schemeId, after })
        return saved
      })
      return { suc: true, data: { id } }
    },

    startVoltageReplay: async (shown, call) => {
      const id = await change(deps, call, async (tx) => {
        const version = await startReplay(deps, tx, { ...shown, by: call.caller.name })
        const after = { version: version.number }
        await note(deps, tx, call, { action: 'voltage.replay', schemeId: version.scheme_id, after })
        return version.id
      })
      return { suc: true, data: { id } }
    },

    enforceVoltageVersion: async ({ reason, ...shown }, call) => {
      const data = await change(deps, call, async (tx) => {
        const { version, from } = await enforce(deps, tx, { ...shown, by: call.caller.name })
        const after = { version: version.number, from: from.toISOString(), reason }
        await note(deps, tx, call, { action: 'voltage.enforce', schemeId: version.scheme_id, after })
        return { id: version.id, from: from.getTime() }
      })
      return { suc: true, data }
    },

    withdrawVoltageVersion: async ({ reason, ...shown }, call) => {
      const id = await change(deps, call, async (tx) => {
        const version = await withdraw(deps, tx, shown)
        const after = { version: version.number, reason }
        await note(deps, tx, call, { action: 'voltage.withdraw', schemeId: version.scheme_id, after })
        return version.id
      })
      return { suc: true, data: { id } }
    },
  }
}

async function isPlatform({ kit }: ProductionDeps, { caller }: SessionCall): Promise<boolean> {
  const [agent] = await kit.db.systemRead((k) => selectParent(caller.agentId).compile(k))
  return agent !== undefined && agent.parent_id === null
}

async function demandPlatform(deps: ProductionDeps, call: SessionCall): Promise<void> {
  if (!(await isPlatform(deps, call))) throw new AppError('forbidden')
}

async function visibilityOf(deps: ProductionDeps, call: SessionCall): Promise<Visibility> {
  const { scope } = call
  const [isOfPlatform, models] = await Promise.all([
    isPlatform(deps, call),
    deps.kit.db.read(scope, (k) => selectModels(scope).compile(k)),
  ])
  return { isPlatform: isOfPlatform, models }
}

/** A change of schemes by the platform's people; their tables have no tenant. */
async function change<T>(deps: ProductionDeps, call: SessionCall, work: (tx: Tx) => Promise<T>): Promise<T> {
  await demandPlatform(deps, call)
  return deps.kit.db.system(work)
}

async function schemeIn(
  { kit }: ProductionDeps,
  { id, versions, visibility }: { id: number; versions: readonly VersionRow[]; visibility: Visibility },
): Promise<VoltageScheme> {
  const schemes = await kit.db.systemRead((k) => selectSchemes().compile(k))
  const row = schemes.find((scheme) => scheme.id === id)
  const scheme = row === undefined ? null : presentScheme(row, versions, { visibility, nowMs: kit.clock.now() })
  if (scheme === null) throw new AppError('not_found')
  return scheme
}

/** A version that the caller may see, with its replay. Throws not_found. */
async function replayIn(
  deps: ProductionDeps,
  call: SessionCall,
  versionId: number,
): Promise<{ version: VersionRow; replay: ReplayRow | undefined }> {
  const { kit } = deps
  const [visibility, [version], [replay]] = await Promise.all([
    visibilityOf(deps, call),
    kit.db.systemRead((k) => selectVersion(versionId).compile(k)),
    kit.db.systemRead((k) => selectReplays([versionId]).compile(k)),
  ])
  if (version === undefined || !(visibility.isPlatform || isSeen(visibility, version))) throw new AppError('not_found')
  return { version, replay }
}

async function presentReplay(
  { kit }: ProductionDeps,
  { scope }: SessionCall,
  { version, replay }: { version: VersionRow; replay: ReplayRow },
): Promise<VoltageReplay> {
  const id = version.id
  const [[totals], bands, examples] = await Promise.all([
    kit.db.read(scope, (k) => selectTotals(scope, id).compile(k)),
    kit.db.read(scope, (k) => selectBands(scope, id).compile(k)),
    kit.db.read(scope, (k) => selectExamples(scope, id).compile(k)),
  ])
  const share = replay.vehicles === 0 ? 0 : Math.floor((replay.done * 100) / replay.vehicles)
  const counted = totals === undefined ? null : presentTotals(totals)
  if (counted === null) throw new Error('sums have one row')
  return {
    versionId: id,
    state: replay.state,
    isCurrent: replay.revision === version.revision,
    from: replay.from_at.getTime(),
    until: replay.until_at.getTime(),
    progressPercent: replay.state === 'done' ? 100 : Math.min(99, share),
    startedAt: replay.started_at.getTime(),
    ...counted,
    bands: Array.from({ length: differenceBands.length + 1 }, (_, band) => {
      return bands.find((one) => one.band === band)?.vehicles ?? 0
    }),
    examples: examples.map(presentExample),
  }
}

type GivenScheme = { readonly id: number | null; readonly name: string; readonly cells: number; readonly note: string }

async function saveScheme(deps: ProductionDeps, call: SessionCall, given: GivenScheme): Promise<number> {
  const { id, ...values } = given
  const { kit } = deps
  try {
    return await kit.db.system(async (tx) => {
      const schemeId = id === null ? await add(tx) : await correct(tx, id)
      await note(deps, tx, call, { action: 'voltage.save', schemeId, after: values })
      return schemeId
    })
  } catch (error) {
    if (isTaken(error)) throw new AppError('name_taken', { cause: error })
    throw error
  }

  async function add(tx: Tx): Promise<number> {
    if ((await selectSchemes().execute(tx)).rows.length >= voltageLimits.schemes) {
      throw new AppError('voltage_many', { values: { count: voltageLimits.schemes } })
    }
    const made = { ...values, created_at: new Date(kit.clock.now()), created_by: call.caller.name }
    return (await tx.insertInto('voltage_scheme').values(made).returning('id').executeTakeFirstOrThrow()).id
  }

  async function correct(tx: Tx, schemeId: number): Promise<number> {
    const row = await tx
      .updateTable('voltage_scheme')
      .set(values)
      .where('id', '=', schemeId)
      .returning('id')
      .executeTakeFirst()
    if (row === undefined) throw new AppError('not_found')
    return row.id
  }
}
