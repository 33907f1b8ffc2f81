import { AppError } from '@saddle/contract/errors.ts'
import { voltageLimits, type VoltageTerms } from '@saddle/contract/production/voltageWords.ts'
import { sql } from 'kysely'
import type { SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { ProductionDeps } from '../deps.ts'
import { stateOf } from './rules.ts'
import { findTaken, lockSchemes, selectReplays, selectVersion, selectVersions, type VersionRow } from './store.ts'

type Deps = Pick<ProductionDeps, 'kit' | 'audit'>
type Shown = { readonly versionId: number; readonly revision: number }

/** The version as it was shown, while nobody else changes schemes. Throws not_found, voltage_changed. */
async function takeVersion(tx: Tx, { versionId, revision }: Shown): Promise<VersionRow> {
  await lockSchemes(tx)
  const [version] = (await selectVersion(versionId).execute(tx)).rows
  if (version === undefined) throw new AppError('not_found')
  if (version.revision !== revision) throw new AppError('voltage_changed')
  return version
}

/** Stores the draft of a scheme; one scheme has at most one. */
export async function saveDraft(
  { kit }: Deps,
  tx: Tx,
  { terms, schemeId, revision, by }: { terms: VoltageTerms; schemeId: number; revision: number; by: string },
): Promise<number> {
  await lockSchemes(tx)
  const versions = (await selectVersions(schemeId).execute(tx)).rows
  const draft = versions.find(({ in_force_from: from }) => from === null)
  if ((draft?.revision ?? 0) !== revision) throw new AppError('voltage_changed')
  if (draft === undefined && versions.length >= voltageLimits.versions) {
    throw new AppError('voltage_many', { values: { count: voltageLimits.versions } })
  }
  const stored = {
    points: JSON.stringify(terms.points),
    models: JSON.stringify(terms.models),
    hysteresis_percent: terms.hysteresisPercent,
    load_drop_v: terms.loadDropV,
    charge_rise_v: terms.chargeRiseV,
    changed_at: new Date(kit.clock.now()),
    changed_by: by,
  }
  if (draft !== undefined) {
    await tx
      .updateTable('voltage_version')
      .set({ ...stored, revision: draft.revision + 1 })
      .where('id', '=', draft.id)
      .execute()
    return draft.id
  }
  const { id } = await tx
    .insertInto('voltage_version')
    .values({ ...stored, scheme_id: schemeId, number: (versions[0]?.number ?? 0) + 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Begins the replay of a draft anew. */
export async function startReplay({ kit }: Deps, tx: Tx, shown: Shown & { readonly by: string }): Promise<VersionRow> {
  const version = await takeVersion(tx, shown)
  if (version.in_force_from !== null) throw new AppError('voltage_changed')
  const now = new Date(kit.clock.now())
  await tx.deleteFrom('voltage_replay').where('version_id', '=', version.id).execute()
  await tx
    .insertInto('voltage_replay')
    .values({
      version_id: version.id,
      revision: version.revision,
      state: 'waiting',
      from_at: new Date(now.getTime() - voltageLimits.replayMs),
      until_at: now,
      started_at: now,
      started_by: shown.by,
    })
    .execute()
  return version
}

/** Puts a draft that was replayed in force; the version before it counts until then. */
export async function enforce(
  { kit }: Deps,
  tx: Tx,
  shown: Shown & { readonly from: number | null; readonly by: string },
): Promise<{ readonly version: VersionRow; readonly from: Date }> {
  const version = await takeVersion(tx, shown)
  if (version.in_force_from !== null) throw new AppError('voltage_changed')
  const [replay] = (await selectReplays([version.id]).execute(tx)).rows
  if (replay?.state !== 'done' || replay.revision !== version.revision) throw new AppError('voltage_not_replayed')
  const nowMs = kit.clock.now()
  const earliestMs = nowMs + voltageLimits.leadMs
  const fromMs = shown.from ?? earliestMs
  if (fromMs < earliestMs || fromMs > nowMs + voltageLimits.aheadMs) throw new AppError('voltage_from')
  const from = new Date(fromMs)
  const taken = await findTaken(tx, { version, from })
  if (taken !== undefined) throw new AppError('voltage_model_taken', { values: taken })
  const others = (await selectVersions(version.scheme_id).execute(tx)).rows
  for (const other of others) {
    const state = stateOf(other, nowMs)
    if (state !== 'in_force' && state !== 'waiting') continue
    if (other.in_force_from !== null && other.in_force_from >= from) throw new AppError('voltage_from')
    if (other.in_force_until !== null && other.in_force_until <= from) continue
    await sql`update voltage_version set in_force_until = ${from} where id = ${other.id}`.execute(tx)
  }
  await sql`
    update voltage_version set in_force_from = ${from}, decided_by = ${shown.by} where id = ${version.id}`.execute(tx)
  return { version, from }
}

/** Takes back a version that waits, so that the one before it goes on; or ends the one in force. */
export async function withdraw({ kit }: Deps, tx: Tx, shown: Shown): Promise<VersionRow> {
  const version = await takeVersion(tx, shown)
  const nowMs = kit.clock.now()
  const state = stateOf(version, nowMs)
  const from = version.in_force_from
  if (from === null || state === 'ended' || state === 'draft') throw new AppError('voltage_changed')
  // Servers may have read it already: what begins within the lead ends after it.
  const soonMs = nowMs + voltageLimits.leadMs
  const isFar = from.getTime() > soonMs
  const until = isFar ? from : new Date(soonMs)
  await sql`update voltage_version set in_force_until = ${until} where id = ${version.id}`.execute(tx)
  if (isFar) {
    await sql`
      update voltage_version set in_force_until = null
      where scheme_id = ${version.scheme_id} and id <> ${version.id} and in_force_until = ${from}
        and in_force_from < ${from}`.execute(tx)
  }
  return version
}

/** Writes down who did what to a scheme. */
export const note = (
  { audit }: Deps,
  tx: Tx,
  call: SessionCall,
  act: {
    readonly action: 'voltage.save' | 'voltage.draft' | 'voltage.replay' | 'voltage.enforce' | 'voltage.withdraw'
    readonly schemeId: number
    readonly after?: Readonly<Record<string, string | number | null>>
  },
): Promise<void> =>
  audit.act(tx, call, {
    agentId: call.caller.agentId,
    action: act.action,
    subjectKind: 'voltage_scheme',
    subjectId: act.schemeId,
    ...(act.after !== undefined && { after: act.after }),
  })
