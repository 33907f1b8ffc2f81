import { AppError } from '@saddle/contract/errors.ts'
import type { mdsAgencyEndpoints } from '@saddle/contract/feeds/agency.ts'
import { hourMs } from '@saddle/contract/time.ts'
import { sql } from 'kysely'
import type { Audit } from '#audit/public.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Kit } from '#kit/kit.ts'
import { webhookFault } from '#kit/webhook.ts'
import { mdsTokenPurpose } from '../keyed.ts'
import { lockJurisdiction } from '../mds/clientStore.ts'
import { lockAgency, requeue } from './store.ts'

interface Deps {
  readonly kit: Kit
  readonly audit: Audit
}

type AgencyHandlers = Handlers<typeof mdsAgencyEndpoints>

/** Locks where a jurisdiction of the scope is sent. Throws `not_found`, and `conflict` where somebody else has changed it. */
async function agencyOf(tx: Tx, call: SessionCall, of: { readonly jurisdictionId: number; readonly version?: number }) {
  const [row] = (await lockAgency(call.scope, of.jurisdictionId).execute(tx)).rows
  if (row === undefined) throw new AppError('not_found')
  if (of.version !== undefined && row.version !== of.version) throw new AppError('conflict')
  return row
}

export function createAgencyHandlers(deps: Deps): AgencyHandlers {
  return { ...createSaving(deps), ...createTurning(deps) }
}

function createSaving({ kit, audit }: Deps): Pick<AgencyHandlers, 'saveMdsAgency'> {
  const { db, clock, secrets, config } = kit
  return {
    saveMdsAgency: async ({ jurisdictionId, url, token, version }, call) => {
      const fault = webhookFault(url, config.noticeLocalWebhooks)
      if (fault !== null) throw new AppError(fault === 'private' ? 'webhook_private' : 'webhook_address')
      const now = clock.now()
      const sealed =
        token === undefined
          ? null
          : secrets.encryptText({ purpose: mdsTokenPurpose, text: token, context: String(jurisdictionId) })
      await db.withScope(call.scope, async (tx) => {
        const [jurisdiction] = (await lockJurisdiction(call.scope, jurisdictionId).execute(tx)).rows
        if (jurisdiction === undefined) throw new AppError('not_found')
        const [before] = (await lockAgency(call.scope, jurisdictionId).execute(tx)).rows
        if ((before?.version ?? 0) !== version) throw new AppError('conflict')
        const kept = sealed ?? before?.token_sealed
        if (kept === undefined) throw new AppError('mds_token_required')
        const { agent_id: agentId, name } = jurisdiction
        const changed = { url, token_sealed: kept, changed_at: new Date(now), changed_by: call.caller.name }
        if (before === undefined)
          await tx
            .insertInto('mds_agency')
            .values({
              ...changed,
              jurisdiction_id: jurisdictionId,
              agent_id: agentId,
              vehicles_at: new Date(now),
              telemetry_from: new Date(Math.floor(now / hourMs) * hourMs),
            })
            .execute()
        else
          await tx
            .updateTable('mds_agency')
            .set({ ...changed, held_until: null, vehicles_at: new Date(now), version: version + 1 })
            .where('jurisdiction_id', '=', jurisdictionId)
            .execute()
        // Another address is another city: it knows no vehicle.
        if (before !== undefined && before.url !== url)
          await tx.deleteFrom('mds_agency_vehicle').where('jurisdiction_id', '=', jurisdictionId).execute()
        await audit.act(tx, call, {
          agentId,
          action: 'mds_agency.save',
          subjectKind: 'mds_jurisdiction',
          subjectId: jurisdictionId,
          before: before === undefined ? null : { name, url: before.url },
          after: { name, url, isTokenNew: token !== undefined },
        })
      })
      return { suc: true, data: { version: version + 1 } }
    },
  }
}

type Turning = Pick<AgencyHandlers, 'setMdsAgencyState' | 'retryMdsPushes' | 'removeMdsAgency'>

function createTurning({ kit, audit }: Deps): Turning {
  const { db } = kit
  return {
    setMdsAgencyState: async ({ jurisdictionId, version, state }, call) => {
      await db.withScope(call.scope, async (tx) => {
        const known = await agencyOf(tx, call, { jurisdictionId, version })
        await tx
          .updateTable('mds_agency')
          .set({
            state,
            is_paused_for_failure: false,
            failing_since: null,
            failures: 0,
            fault: null,
            held_until: null,
            version: version + 1,
          })
          .where('jurisdiction_id', '=', jurisdictionId)
          .execute()
        await audit.act(tx, call, {
          agentId: known.agent_id,
          action: 'mds_agency.state',
          subjectKind: 'mds_jurisdiction',
          subjectId: jurisdictionId,
          before: { state: known.state },
          after: { state },
        })
      })
      return { suc: true, data: {} }
    },

    retryMdsPushes: async ({ jurisdictionId }, call) => {
      const queued = await db.withScope(call.scope, async (tx) => {
        const { agent_id: agentId } = await agencyOf(tx, call, { jurisdictionId })
        const { numAffectedRows = 0n } = await requeue(call.scope, jurisdictionId).execute(tx)
        await audit.act(tx, call, {
          agentId,
          action: 'mds_agency.retry',
          subjectKind: 'mds_jurisdiction',
          subjectId: jurisdictionId,
          before: null,
          after: { queued: Number(numAffectedRows) },
        })
        return Number(numAffectedRows)
      })
      return { suc: true, data: { queued } }
    },

    removeMdsAgency: async ({ jurisdictionId, version }, call) => {
      await db.withScope(call.scope, async (tx) => {
        const { agent_id: agentId, url } = await agencyOf(tx, call, { jurisdictionId, version })
        await sql`delete from mds_agency where jurisdiction_id = ${jurisdictionId}`.execute(tx)
        await audit.act(tx, call, {
          agentId,
          action: 'mds_agency.remove',
          subjectKind: 'mds_jurisdiction',
          subjectId: jurisdictionId,
          before: { url },
          after: {},
        })
      })
      return { suc: true, data: {} }
    },
  }
}
