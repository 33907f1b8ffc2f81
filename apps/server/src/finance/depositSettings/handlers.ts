import type { InputOf } from '@saddle/contract/endpoint.ts'
import { AppError } from '@saddle/contract/errors.ts'
import {
  depositAreaFields,
  depositAreaList,
  type DepositArea,
  type DepositAreaFilter,
  type depositSettingEndpoints,
} from '@saddle/contract/finance/depositSettings.ts'
import { yuanText } from '@saddle/contract/money.ts'
import { dayMs } from '@saddle/contract/time.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { serveComputedList } from '#kit/list/computedList.ts'
import type { MoneyDeps } from '../deps.ts'
import { previewDeposit } from './preview.ts'
import { boundOf, refundTimesOf } from './rules.ts'
import {
  areaSettingOf,
  countProducts,
  insertSetting,
  selectAreas,
  selectAreaSettings,
  selectForeignAreas,
  selectHistoryOf,
  selectSettingHistory,
  selectSettings,
  settingOf,
} from './store.ts'

type Deps = Pick<MoneyDeps, 'kit' | 'audit'>
type All = Handlers<typeof depositSettingEndpoints>
type Wanted = InputOf<typeof depositSettingEndpoints.setDeposit>

/** What riders must deposit, area by area, and what that does. */
export function createDepositSettingHandlers(deps: Deps): All {
  const { kit } = deps
  return {
    ...createListing(deps),
    depositSettings: async (_, { scope }) => {
      const [settings, history] = await Promise.all([
        kit.db.read(scope, (k) => selectSettings(scope).compile(k)),
        kit.db.read(scope, (k) => selectSettingHistory(scope).compile(k)),
      ])
      const vehicleCostCents = kit.config.vehicleCostYuan * 100
      const limits = { vehicleCostCents, maxCents: boundOf(vehicleCostCents) }
      return { suc: true, data: { settings: settings.map(settingOf), history: history.map(settingOf), ...limits } }
    },

    setDeposit: async (wanted, call) => ({ suc: true, data: { areas: await set(deps, call, wanted) } }),

    depositHistory: async ({ areaId }, { scope }) => {
      if (!scope.areaIds.includes(areaId)) throw new AppError('not_found')
      const rows = await kit.db.read(scope, (k) => selectHistoryOf(scope, areaId).compile(k))
      return { suc: true, data: { list: rows.map(settingOf) } }
    },

    previewDeposit: async (asked, { scope }) => ({ suc: true, data: await previewDeposit(kit, scope, asked) }),

    depositRefundTimes: async (_, { scope }) => {
      const nowMs = kit.clock.now()
      const since = new Date(nowMs - shownDays * dayMs)
      const query = refundRow.select`
        from payment_refund r
        where r.agent_id = any (${scope.agentIds}::bigint[]) and r.created_at >= ${since}
          and exists (
            select from payment p where p.id = r.payment_id and p.agent_id = r.agent_id and p.became = 'deposit')
        order by r.id desc limit ${refundsMax}`
      const rows = await kit.db.read(scope, (k) => query.compile(k))
      return { suc: true, data: { sinceAt: since.getTime(), ...refundTimesOf(rows, nowMs) } }
    },
  }
}

const shownDays = 90
const refundsMax = 20_000
const refundRow = rowOf('payment_refund', 'r', ['created_at', 'done_at', 'state'])

function createListing(deps: Deps): Pick<All, 'listDepositAreas' | 'exportDepositAreas'> {
  const { kit } = deps
  const list = serveComputedList(deps, depositAreaList, {
    name: 'deposit-areas',
    all: async ({ sources, name }: DepositAreaFilter, { scope }) => {
      const rows = await kit.db.read(scope, (k) => selectAreaSettings(scope).compile(k))
      return rows
        .map(areaSettingOf)
        .filter(
          (area) =>
            (sources === undefined || sources.includes(area.source)) &&
            (name === undefined || area.areaName.toLowerCase().includes(name.toLowerCase())),
        )
    },
    sorted: (rows, sort, direction) => {
      const sign = direction === 'asc' ? 1 : -1
      const compare = {
        name: (a: DepositArea, b: DepositArea) => a.areaName.localeCompare(b.areaName, 'zh') || a.areaId - b.areaId,
        cents: (a: DepositArea, b: DepositArea) => a.cents - b.cents || a.areaId - b.areaId,
      }[sort]
      return (rows as readonly DepositArea[]).toSorted((a, b) => sign * compare(a, b))
    },
    file: { action: 'deposit.export', fields: depositAreaFields },
  })
  return { listDepositAreas: list.page, exportDepositAreas: list.file }
}

/** Sets it for areas or for a company; throws deposit_above_bound, not_found and foreign_scope. */
async function set({ kit, audit }: Deps, call: SessionCall, wanted: Wanted): Promise<number> {
  const { scope, caller } = call
  const { areaIds, agentId, freeProductIds, ...rest } = wanted
  const maxCents = boundOf(kit.config.vehicleCostYuan * 100)
  if (rest.cents > maxCents) throw new AppError('deposit_above_bound', { values: { max: yuanText(maxCents) } })
  if (agentId !== undefined) await checkCompany(kit, scope, agentId)
  const products = [...new Set(freeProductIds)]
  return kit.db.withScope(scope, async (tx) => {
    const places = agentId === undefined ? await placesOf(tx, call, areaIds) : [{ agentId, areaId: null }]
    for (const owner of new Set(places.map((place) => place.agentId))) {
      if ((await countProducts(tx, owner, products)) !== products.length) throw new AppError('foreign_scope')
    }
    const author = { authorId: caller.operatorId, authorName: caller.name, at: new Date(kit.clock.now()) }
    const setting = { ...rest, freeProductIds: products }
    for (const place of places) {
      await insertSetting(tx, { ...place, ...setting, ...author })
      await audit.act(tx, call, {
        agentId: place.agentId,
        ...(place.areaId !== null && { areaId: place.areaId }),
        action: 'deposit.set',
        subjectKind: place.areaId === null ? 'agent' : 'area',
        subjectId: place.areaId ?? place.agentId,
        after: setting,
      })
    }
    return places.length
  })
}

/** Only who has all areas of a company sets what holds for all of them. Throws foreign_scope. */
async function checkCompany(kit: Deps['kit'], scope: Scope, agentId: number): Promise<void> {
  const [foreign] = await kit.db.systemRead((k) => selectForeignAreas(scope, agentId).compile(k))
  if (!scope.agentIds.includes(agentId) || foreign?.count !== 0) throw new AppError('foreign_scope')
}

async function placesOf(tx: Tx, { scope }: SessionCall, areaIds: readonly number[]) {
  const ids = [...new Set(areaIds)]
  const { rows } = await selectAreas(scope, ids).execute(tx)
  if (rows.length < ids.length) throw new AppError('not_found')
  return rows.map((row) => ({ agentId: row.agent_id, areaId: row.id }))
}
