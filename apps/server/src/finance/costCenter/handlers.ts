import { AppError } from '@saddle/contract/errors.ts'
import {
  assetDetailFields,
  assetDetailList,
  chargeMaxCents,
  chargeNoteFields,
  chargeNoteList,
  spendNoteFields,
  spendNoteList,
  trendDays,
  type ChargeWay,
  type costCenterEndpoints,
} from '@saddle/contract/finance/costCenter.ts'
import { addDays, businessDayOf } from '@saddle/contract/time.ts'
import type { Handlers } from '#kit/call.ts'
import { serveList } from '#kit/list/serveList.ts'
import { charge } from './charge.ts'
import type { CostDeps } from './deps.ts'
import { daysLeftOf, warningsOf } from './rules.ts'
import {
  detailRows,
  noteRows,
  presentArrival,
  presentAssets,
  presentDetail,
  presentNote,
  presentSpend,
  presentTrend,
  remarkDetail,
  selectArrivals,
  selectAssets,
  selectDetail,
  selectNotesLeft,
  selectTrend,
  spendRows,
} from './store.ts'

type All = Handlers<typeof costCenterEndpoints>

export function createCostCenterHandlers(deps: CostDeps): All {
  return { ...createLists(deps), ...createCharging(deps), ...createDetails(deps) }
}

type Lists = Exclude<keyof All, 'businessAssets' | Charging | Details>

function createLists(deps: CostDeps): Pick<All, Lists> {
  const notes = serveList(deps, chargeNoteList, {
    name: 'charge-notes',
    rows: noteRows,
    present: presentNote,
    file: { action: 'service.export', fields: chargeNoteFields },
  })
  const spends = serveList(deps, spendNoteList, {
    name: 'spend-notes',
    rows: spendRows,
    present: presentSpend,
    file: { action: 'service.export', fields: spendNoteFields },
  })
  const details = serveList(deps, assetDetailList, {
    name: 'asset-details',
    rows: detailRows,
    present: presentDetail,
    file: { action: 'service.export', fields: assetDetailFields },
  })
  return {
    listChargeNotes: notes.page,
    sumChargeNotes: notes.sums,
    exportChargeNotes: notes.file,
    listSpendNotes: spends.page,
    sumSpendNotes: spends.sums,
    exportSpendNotes: spends.file,
    listAssetDetails: details.page,
    sumAssetDetails: details.sums,
    exportAssetDetails: details.file,
  }
}

type Charging = 'prepareCharge' | 'chargeService' | 'withdrawableCharges'

function createCharging(deps: CostDeps): Pick<All, Charging | 'businessAssets'> {
  const { kit, payments } = deps
  const { db, clock } = kit
  return {
    businessAssets: async (_input, { scope }) => {
      const nowMs = clock.now()
      const today = businessDayOf(nowMs)
      const [rows, arrivals, trend] = await Promise.all([
        db.read(scope, (k) => selectAssets({ scope, today }).compile(k)),
        db.read(scope, (k) => selectArrivals({ scope }).compile(k)),
        db.read(scope, (k) =>
          selectTrend({ scope, from: addDays(today, -trendDays), to: addDays(today, -1) }).compile(k),
        ),
      ])
      const companies = rows.map((row) => {
        const shown = presentAssets(row)
        return Object.assign(shown, { daysLeft: daysLeftOf(shown) })
      })
      return {
        suc: true,
        data: {
          companies,
          warnings: companies.flatMap((company) => warningsOf(company, nowMs)),
          arrivals: arrivals.map(presentArrival),
          trend: trend.map(presentTrend),
        },
      }
    },

    prepareCharge: async (_input, { caller }) => {
      const own = { agentIds: [caller.agentId], areaIds: [], operatorId: caller.operatorId }
      const today = businessDayOf(clock.now())
      const [row] = await db.read(own, (k) => selectAssets({ scope: own, today }).compile(k))
      const ways: { way: ChargeWay; maxCents: number }[] = payments
        .codeChannels()
        .map((way) => ({ way, maxCents: chargeMaxCents }))
      if (row !== undefined) ways.unshift({ way: 'available', maxCents: Math.max(0, row.available_cents) })
      return {
        suc: true,
        data: {
          balanceCents: row?.service_cents ?? 0,
          openCents: row?.open_cents ?? 0,
          ways: row === undefined ? [] : ways,
        },
      }
    },

    chargeService: async (input, call) => ({ suc: true, data: await charge(deps, call, input) }),

    withdrawableCharges: async ({ agentId }, { scope }) => {
      if (!scope.agentIds.includes(agentId)) throw new AppError('foreign_scope')
      const list = (await db.read(scope, (k) => selectNotesLeft({ agentId }).compile(k))).map(presentNote)
      return { suc: true, data: { list, leftCents: list.reduce((sum, { leftCents }) => sum + leftCents, 0) } }
    },
  }
}

type Details = 'remarkAssetDetail' | 'assetPayDetail'

function createDetails({ kit, audit, ledger }: CostDeps): Pick<All, Details> {
  const { db } = kit
  return {
    remarkAssetDetail: async ({ id, remark }, call) => {
      const { scope, caller } = call
      const data = await db.system(async (tx) => {
        const [row] = (await selectDetail({ id, scope }).execute(tx)).rows
        if (row === undefined) throw new AppError('not_found')
        await remarkDetail(tx, { id, remark, by: caller.name, byId: caller.operatorId })
        await audit.act(tx, call, {
          agentId: row.agent_id,
          action: 'service.remark',
          subjectKind: 'asset_detail',
          subjectId: id,
          before: { remark: row.remark },
          after: { remark },
        })
        const remarkedBy = remark === '' ? null : caller.name
        return Object.assign(presentDetail(row), { remark, remarkedBy })
      })
      return { suc: true, data }
    },

    assetPayDetail: async ({ id }, { scope }) => {
      const [row] = await db.read(scope, (k) => selectDetail({ id, scope }).compile(k))
      if (row === undefined) throw new AppError('not_found')
      const entries = await ledger.entriesOf({
        scope: { ...scope, agentIds: [row.agent_id] },
        reference: row.reference,
      })
      return {
        suc: true,
        data: {
          entries: entries.map(({ number, kind, occurredAt, memo, lines }) => ({
            number,
            kind,
            at: occurredAt,
            memo,
            lines: lines.map(({ account, amountCents }) => ({ account: account.kind, cents: amountCents })),
          })),
        },
      }
    },
  }
}
