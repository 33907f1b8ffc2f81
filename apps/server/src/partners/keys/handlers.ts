import { AppError } from '@saddle/contract/errors.ts'
import {
  partnerKeyLimits,
  partnerUsageDays,
  rotationGraceHours,
  type partnerKeyEndpoints,
} from '@saddle/contract/partners/keys.ts'
import { addDays, businessDayOf, dayMs, hourMs } from '@saddle/contract/time.ts'
import { createWithin, type Audit } from '#audit/public.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import { companyOf } from '#kit/company.ts'
import { randomToken, sha256 } from '#kit/crypto.ts'
import type { Tx } from '#kit/db/pool.ts'
import { countRow } from '#kit/db/rows.ts'
import type { Kit } from '#kit/kit.ts'
import { knownScopes, lockKey, selectKeys } from './store.ts'

/** What every key begins with, so that a scanner of secrets finds one that was published by mistake. */
export const keyPrefix = 'saddle_pk_'
const hintLength = 4

interface Deps {
  readonly kit: Kit
  readonly audit: Audit
}

type KeyHandlers = Handlers<typeof partnerKeyEndpoints>

export function createKeyHandlers(deps: Deps): KeyHandlers {
  return { ...createMaking(deps), ...createChanging(deps) }
}

function newKey(random: Kit['random']) {
  const secret = randomToken(random)
  const key = keyPrefix + secret
  return { key, hash: sha256(key), hint: secret.slice(0, hintLength) }
}

/** Locks a key of the scope that is in use. Throws `not_found`. */
async function keyOf(tx: Tx, call: SessionCall, id: number) {
  const { rows } = await lockKey(call.scope, id).execute(tx)
  const [key] = rows
  if (key === undefined || key.revoked_at !== null) throw new AppError('not_found')
  return key
}

function createMaking({ kit, audit }: Deps): Pick<KeyHandlers, 'listPartnerKeys' | 'createPartnerKey'> {
  const { db, clock, random } = kit
  return {
    listPartnerKeys: async ({ agentId: asked }, call) => {
      const agentId = companyOf(call, asked)
      const since = addDays(businessDayOf(clock.now()), -partnerUsageDays)
      const rows = await db.read(call.scope, (k) => selectKeys({ agentId, since }).compile(k))
      const list = rows.map((row) => ({
        id: row.id,
        name: row.name,
        hint: `${keyPrefix}${row.hint}…`,
        scopes: knownScopes(row.scopes),
        perMinute: row.per_minute,
        expiresAt: row.expires_at.getTime(),
        createdAt: row.created_at.getTime(),
        createdBy: row.created_by,
        previousUntil: row.previous_until?.getTime() ?? null,
        revokedAt: row.revoked_at?.getTime() ?? null,
        lastUsedAt: row.last_used_at?.getTime() ?? null,
        calls: row.calls,
        refused: row.refused,
        version: row.version,
      }))
      return { suc: true, data: { agentId, list } }
    },

    createPartnerKey: async ({ agentId: asked, name, scopes, perMinute, days }, call) => {
      const agentId = companyOf(call, asked)
      const { key, hash, hint } = newKey(random)
      const at = new Date(clock.now())
      const expiresAt = new Date(at.getTime() + days * dayMs)
      const id = await db.withScope(call.scope, async (tx) => {
        const insert = () =>
          tx
            .insertInto('partner_key')
            .values({
              agent_id: agentId,
              name,
              hint,
              key_hash: hash,
              scopes,
              per_minute: perMinute,
              expires_at: expiresAt,
              created_at: at,
              created_by: call.caller.name,
            })
            .returning('id')
            .executeTakeFirstOrThrow()
        const known = countRow.select`from partner_key where agent_id = ${agentId} and revoked_at is null`
        return createWithin({
          tx,
          call,
          audit,
          agentId,
          kind: 'partner_key',
          action: 'partner_key.create',
          limit: { max: partnerKeyLimits.perCompany, tooMany: 'partner_keys_too_many' },
          count: async () => (await known.execute(tx)).rows[0]?.count ?? 0,
          insert,
          after: { name, scopes, perMinute, expiresAt: expiresAt.getTime() },
        })
      })
      return { suc: true, data: { id, key } }
    },
  }
}

function createChanging({ kit, audit }: Deps): Pick<KeyHandlers, 'rotatePartnerKey' | 'revokePartnerKey'> {
  const { db, clock, random } = kit
  return {
    rotatePartnerKey: async ({ id, version }, call) => {
      const { key, hash, hint } = newKey(random)
      const at = new Date(clock.now())
      const previousUntil = new Date(at.getTime() + rotationGraceHours * hourMs)
      await db.withScope(call.scope, async (tx) => {
        const known = await keyOf(tx, call, id)
        if (known.version !== version) throw new AppError('conflict')
        await tx
          .updateTable('partner_key')
          .set({
            key_hash: hash,
            hint,
            previous_hash: known.key_hash,
            previous_until: previousUntil,
            rotated_at: at,
            version: version + 1,
          })
          .where('id', '=', id)
          .execute()
        const { agent_id: agentId, name } = known
        await audit.act(tx, call, {
          agentId,
          action: 'partner_key.rotate',
          subjectKind: 'partner_key',
          subjectId: id,
          before: { name },
          after: { name },
        })
      })
      return { suc: true, data: { id, key } }
    },

    revokePartnerKey: async ({ id }, call) => {
      await db.withScope(call.scope, async (tx) => {
        const { agent_id: agentId, name } = await keyOf(tx, call, id)
        await tx
          .updateTable('partner_key')
          .set({ revoked_at: new Date(clock.now()), previous_hash: null, previous_until: null })
          .where('id', '=', id)
          .execute()
        await audit.act(tx, call, {
          agentId,
          action: 'partner_key.revoke',
          subjectKind: 'partner_key',
          subjectId: id,
          before: { name },
          after: {},
        })
      })
      return { suc: true, data: {} }
    },
  }
}
