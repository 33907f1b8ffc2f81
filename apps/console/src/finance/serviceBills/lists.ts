import {
  billAreaFields,
  billAreaList,
  billLineFields,
  billLineList,
  serviceBillEndpoints,
  serviceBillFields,
  serviceBillList,
} from '@saddle/contract/finance/serviceBills.ts'
import { listOf } from '#kit/list/declare.ts'

const {
  listServiceBills,
  sumServiceBills,
  exportServiceBills,
  listBillLines,
  sumBillLines,
  exportBillLines,
  listBillAreas,
  exportBillAreas,
} = serviceBillEndpoints

export const serviceBills = listOf({
  list: serviceBillList,
  call: listServiceBills,
  sums: sumServiceBills,
  file: exportServiceBills,
  fields: serviceBillFields,
})

const lines = {
  list: billLineList,
  call: listBillLines,
  sums: sumBillLines,
  file: exportBillLines,
  fields: billLineFields,
} as const

export const billLines = listOf(lines)
export const usageLines = listOf({ ...lines, name: `${listBillLines.path} usage` })
export const serviceLines = listOf({ ...lines, name: `${listBillLines.path} service` })

export const billAreas = listOf({
  list: billAreaList,
  call: listBillAreas,
  file: exportBillAreas,
  fields: billAreaFields,
})

/** What a waiver makes stale. */
export const staleAfterWaiver = [listServiceBills, sumServiceBills]
