import { AppError } from '@saddle/contract/errors.ts'
import { settingHistoryMax, type settingEndpoints } from '@saddle/contract/settings/choices.ts'
import {
  isSettingValue,
  settingCodes,
  settingOf,
  type SettingCode,
  type SettingValue,
} from '@saddle/contract/settings/registry.ts'
import { sql } from 'kysely'
import type { Audit } from '#audit/public.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf } from '#kit/db/rows.ts'
import type { Kit } from '#kit/kit.ts'
import { choiceOf, ownOf, selectChoices } from './store.ts'

const areaRow = rowOf('service_area', 'sa', ['id', 'name'])
const historyRow = rowOf('setting_change', 's', ['id', 'value', 'made_at', 'made_by'])

interface Asked {
  readonly agentId?: number | undefined
  readonly areaId?: number | undefined
}

export function createSettingHandlers({ kit, audit }: { readonly kit: Kit; readonly audit: Audit }) {
  const { db, clock } = kit
  const readAreas = (call: SessionCall, agentId: number) =>
    db.read(call.scope, (k) =>
      areaRow.select`
        from service_area sa
        where sa.agent_id = ${agentId} and sa.id = any (${call.scope.areaIds}::bigint[]) order by sa.name, sa.id`.compile(
        k,
      ),
    )
  /** The place that is meant, and the areas that may be chosen beside it. */
  const placeOf = async (call: SessionCall, { agentId: asked, areaId: askedArea }: Asked) => {
    const areaId = askedArea ?? null
    const agentId = asked ?? call.caller.agentId
    if (!call.scope.agentIds.includes(agentId)) throw new AppError('foreign_scope')
    const areas = await readAreas(call, agentId)
    if (areaId !== null && !areas.some(({ id }) => id === areaId)) throw new AppError('foreign_scope')
    return { agentId, areaId, areas }
  }

  return {
    systemSettings: async (asked, call) => {
      const { areas, ...place } = await placeOf(call, asked)
      const rows = await db.systemRead((k) => selectChoices(place, null).compile(k))
      const codes = settingCodes.filter((code) => place.areaId === null || settingOf(code).level === 'area')
      const shown = codes.map((code) => {
        const { value, source } = choiceOf(code, rows)
        const own = ownOf(code, rows, place)
        return {
          code,
          value: valueShown(value),
          source,
          own: own !== undefined && isSettingValue(code, own.value) ? valueShown(own.value) : null,
          version: own?.id ?? 0,
          changedAt: own?.made_at.getTime() ?? null,
          changedBy: own?.made_by ?? null,
        }
      })
      return { suc: true, data: { ...place, settings: shown, areas } }
    },

    settingHistory: async ({ code, ...asked }, call) => {
      const { agentId, areaId } = await placeOf(call, asked)
      const rows = await db.read(call.scope, (k) =>
        historyRow.select`
          from setting_change s
          where s.agent_id = ${agentId} and s.area_id is not distinct from ${areaId}::bigint and s.code = ${code}
          order by s.id desc limit ${settingHistoryMax}`.compile(k),
      )
      const changes = rows.map(({ id, value, made_at: at, made_by: by }) => ({
        id,
        value: isSettingValue(code, value) ? valueShown(value) : null,
        at: at.getTime(),
        by,
      }))
      return { suc: true, data: { changes } }
    },

    changeSetting: async ({ code, value, version, ...asked }, call) => {
      const { agentId, areaId } = await placeOf(call, asked)
      if (areaId !== null && settingOf(code).level === 'company') throw new AppError('setting_of_company')
      if (value !== null && !isSettingValue(code, value)) throw new AppError('setting_range')
      const made = await db.withScope(call.scope, async (tx) => {
        await sql`select pg_advisory_xact_lock(hashtext(${`setting ${agentId} ${areaId} ${code}`}))`.execute(tx)
        const { rows: before } = await historyRow.select`
          from setting_change s
          where s.agent_id = ${agentId} and s.area_id is not distinct from ${areaId}::bigint and s.code = ${code}
          order by s.id desc limit 1`.execute(tx)
        if ((before[0]?.id ?? 0) !== version) throw new AppError('conflict')
        const id = await insertChange(tx, call, { agentId, areaId, code, value, at: new Date(clock.now()) })
        const previous = before[0]?.value ?? null
        await audit.act(tx, call, {
          agentId,
          ...(areaId !== null && { areaId }),
          action: 'setting.change',
          subjectKind: 'setting',
          subjectId: code,
          before: { value: previous },
          after: { value },
        })
        return { id, previous: isSettingValue(code, previous) ? valueShown(previous) : null }
      })
      return { suc: true, data: { previous: made.previous, version: made.id } }
    },
  } satisfies Handlers<typeof settingEndpoints>
}

interface Change {
  readonly agentId: number
  readonly areaId: number | null
  readonly code: SettingCode
  readonly value: SettingValue | null
  readonly at: Date
}

/** Appends the change; resolves to its number. */
async function insertChange(tx: Tx, { caller }: SessionCall, { agentId, areaId, code, value, at }: Change) {
  const { id } = await tx
    .insertInto('setting_change')
    .values({
      agent_id: agentId,
      area_id: areaId,
      code,
      value: value === null ? null : JSON.stringify(value),
      made_at: at,
      made_by_id: caller.operatorId,
      made_by: caller.name,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

const valueShown = (value: SettingValue): number | string[] => (typeof value === 'number' ? value : [...value])
