import { channelBillEndpoints } from '@saddle/contract/finance/channelBills.ts'

const { listChannelDays, sumChannelDays, listChannelDifferences, sumChannelDifferences } = channelBillEndpoints

/** Queries that a bill or a decision makes stale. */
export const staleBills = [listChannelDays, sumChannelDays, listChannelDifferences, sumChannelDifferences]
