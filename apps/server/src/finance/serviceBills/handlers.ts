import { AppError } from '@saddle/contract/errors.ts'
import {
  billAreaFields,
  billAreaList,
  billLineFields,
  billLineList,
  serviceBillFields,
  serviceBillList,
  type serviceBillEndpoints,
} from '@saddle/contract/finance/serviceBills.ts'
import { businessDayEnd, businessDayStart } from '@saddle/contract/time.ts'
import type { Handlers } from '#kit/call.ts'
import { serveComputedList } from '#kit/list/computedList.ts'
import { serveList } from '#kit/list/serveList.ts'
import type { MeterDeps } from '../meters/deps.ts'
import { isPlatform } from '../meters/handlers.ts'
import { presentPrice, selectPrices } from '../meters/store.ts'
import {
  billRows,
  lineRows,
  lockBill,
  presentArea,
  presentBill,
  presentDay,
  presentLine,
  selectAreas,
  selectBill,
  selectDaysOfLine,
  selectLine,
  waiveBill,
} from './store.ts'

type All = Handlers<typeof serviceBillEndpoints>

export function createServiceBillHandlers(deps: MeterDeps): All {
  return { ...createLists(deps), ...createReadings(deps), ...createChanges(deps) }
}

type Lists =
  | 'listServiceBills'
  | 'sumServiceBills'
  | 'exportServiceBills'
  | 'listBillLines'
  | 'sumBillLines'
  | 'exportBillLines'
  | 'listBillAreas'
  | 'exportBillAreas'

function createLists(deps: MeterDeps): Pick<All, Lists> {
  const { kit } = deps
  const bills = serveList(deps, serviceBillList, {
    name: 'service-bills',
    rows: billRows,
    present: presentBill,
    file: { action: 'service_bill.export', fields: serviceBillFields },
  })
  const lines = serveList(deps, billLineList, {
    name: 'service-bill-lines',
    rows: lineRows,
    present: presentLine,
    file: { action: 'service_bill.export', fields: billLineFields },
  })
  const areas = serveComputedList(deps, billAreaList, {
    name: 'service-bill-areas',
    all: async (filter, { scope }) =>
      (await kit.db.read(scope, (k) => selectAreas({ ...filter, scope }).compile(k))).map(presentArea),
    sorted: (rows, sort, direction) => {
      const by = { amount: 'amountCents', vehicleDays: 'vehicleDays' } as const
      const sign = direction === 'asc' ? 1 : -1
      return rows.toSorted((a, b) => sign * (a[by[sort]] - b[by[sort]]) || a.id.localeCompare(b.id))
    },
    file: { action: 'service_bill.export', fields: billAreaFields },
  })
  return {
    listServiceBills: bills.page,
    sumServiceBills: bills.sums,
    exportServiceBills: bills.file,
    listBillLines: lines.page,
    sumBillLines: lines.sums,
    exportBillLines: lines.file,
    listBillAreas: areas.page,
    exportBillAreas: areas.file,
  }
}

function createReadings({ kit, sources }: MeterDeps): Pick<All, 'billLineDetails'> {
  const { db } = kit
  return {
    billLineDetails: async ({ id, day }, { scope }) => {
      const [row] = await db.read(scope, (k) => selectLine({ id, scope }).compile(k))
      if (row === undefined) throw new AppError('not_found')
      const { price_id: priceId, ...shown } = row
      const { agentId, areaId, meter, ...line } = presentLine(shown)
      const [days, [price]] = await Promise.all([
        db.read(scope, (k) => selectDaysOfLine({ lineId: id, agentId }).compile(k)),
        db.read(scope, (k) => selectPrices({ id: priceId }).compile(k)),
      ])
      if (price === undefined) throw new Error(`a line without its price: ${priceId}`)
      const list = days.map(presentDay)
      const isCounted = list.some((one) => one.day === day)
      const span =
        day === undefined ? null : { from: new Date(businessDayStart(day)), to: new Date(businessDayEnd(day)) }
      const found = span !== null && isCounted ? await sources.get(meter)?.events({ agentId, areaId, ...span }) : null
      return {
        suc: true,
        data: {
          line: { ...line, agentId, areaId, meter },
          price: presentPrice(price),
          days: list,
          events: found === null || found === undefined ? null : [...found],
        },
      }
    },
  }
}

function createChanges({ kit, audit }: MeterDeps): Pick<All, 'waiveServiceBill'> {
  const { db } = kit
  return {
    waiveServiceBill: async ({ id, reason }, call) => {
      if (!isPlatform(call)) throw new AppError('forbidden')
      const { scope, caller } = call
      const data = await db.system(async (tx) => {
        const row = await lockBill(tx, { id, scope })
        if (row === undefined) throw new AppError('not_found')
        if (row.open_cents === 0) throw new AppError('service_bill_not_open')
        await waiveBill(tx, { id, cents: row.open_cents, reason, by: caller.name, byId: caller.operatorId })
        await audit.act(tx, call, {
          agentId: row.agent_id,
          action: 'service_bill.waive',
          subjectKind: 'service_bill',
          subjectId: id,
          before: { openCents: row.open_cents },
          after: { freeCents: row.free_cents + row.open_cents, reason },
        })
        const [after] = (await selectBill({ id, scope }).execute(tx)).rows
        return presentBill(after ?? row)
      })
      return { suc: true, data }
    },
  }
}
