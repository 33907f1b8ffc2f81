import {
  assetDetailFields,
  assetDetailList,
  chargeNoteFields,
  chargeNoteList,
  costCenterEndpoints,
  spendNoteFields,
  spendNoteList,
} from '@saddle/contract/finance/costCenter.ts'
import { listOf } from '#kit/list/declare.ts'

const {
  listAssetDetails,
  sumAssetDetails,
  exportAssetDetails,
  listChargeNotes,
  sumChargeNotes,
  exportChargeNotes,
  listSpendNotes,
  sumSpendNotes,
  exportSpendNotes,
  businessAssets,
  prepareCharge,
} = costCenterEndpoints

export const assetDetails = listOf({
  list: assetDetailList,
  call: listAssetDetails,
  sums: sumAssetDetails,
  file: exportAssetDetails,
  fields: assetDetailFields,
})

export const chargeNotes = listOf({
  list: chargeNoteList,
  call: listChargeNotes,
  sums: sumChargeNotes,
  file: exportChargeNotes,
  fields: chargeNoteFields,
})

export const spendNotes = listOf({
  list: spendNoteList,
  call: listSpendNotes,
  sums: sumSpendNotes,
  file: exportSpendNotes,
  fields: spendNoteFields,
})

/** What a payment into the balance makes stale. */
export const staleAfterCharge = [businessAssets, prepareCharge, listChargeNotes, listSpendNotes, listAssetDetails]
