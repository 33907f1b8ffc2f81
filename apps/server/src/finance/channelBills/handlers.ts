import { AppError } from '@saddle/contract/errors.ts'
import {
  channelDayFields,
  channelDayList,
  channelDifferenceFields,
  channelDifferenceList,
  type channelBillEndpoints,
} from '@saddle/contract/finance/channelBills.ts'
import { businessDayEnd } from '@saddle/contract/time.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import { serveList } from '#kit/list/serveList.ts'
import type { Kit } from '#kit/kit.ts'
import { BillError } from './bill.ts'
import { readBill, withBillFile } from './billFile.ts'
import { compareBill, type ComparedBill } from './compare.ts'
import { confirm, propose, reject, type ResolveDeps } from './resolve.ts'
import { dayOf, dayRows, differenceOf, differenceRows } from './store.ts'
import { isPlatform, viewScope } from './viewer.ts'

type Deps = Omit<ResolveDeps, 'kit'> & { readonly kit: Kit }

/** What is unpacked of an uploaded file at most. */
const uploadedBytesMax = 256_000_000

export function createChannelBillHandlers(deps: Deps): Handlers<typeof channelBillEndpoints> {
  const { kit, audit } = deps
  const viewerOf = (call: SessionCall) => ({ operatorId: call.caller.operatorId, isPlatform: isPlatform(call) })
  const days = serveList(deps, channelDayList, {
    name: 'channel-days',
    scope: viewScope,
    rows: dayRows,
    present: (row) => dayOf(row),
    file: { action: 'channel_bill.export', fields: channelDayFields },
  })
  const differences = serveList(deps, channelDifferenceList, {
    name: 'channel-differences',
    scope: viewScope,
    rows: differenceRows,
    present: (row, call) => differenceOf(row, viewerOf(call)),
    file: { action: 'channel_difference.export', fields: channelDifferenceFields },
  })
  return {
    listChannelDays: days.page,
    sumChannelDays: days.sums,
    exportChannelDays: days.file,
    listChannelDifferences: differences.page,
    sumChannelDifferences: differences.sums,
    exportChannelDifferences: differences.file,

    proposeResolution: async (input, call) => ({
      suc: true,
      data: differenceOf(await propose(deps, call, input), viewerOf(call)),
    }),
    confirmResolution: async ({ id }, call) => ({
      suc: true,
      data: differenceOf(await confirm(deps, call, id), viewerOf(call)),
    }),
    rejectResolution: async (input, call) => ({
      suc: true,
      data: differenceOf(await reject(deps, call, input), viewerOf(call)),
    }),

    uploadChannelBill: async ({ channel, day, file, sha1 }, call) => {
      if (!isPlatform(call)) throw new AppError('difference_platform')
      const at = kit.clock.now()
      if (businessDayEnd(day) > at) throw new AppError('channel_bill_early')
      const compared = await refusing(() =>
        withBillFile(once(Buffer.from(file, 'base64')), async (bill) => {
          if (sha1 !== undefined && sha1 !== bill.sha1) throw new AppError('channel_bill_hash')
          const format = channel === 'alipay' ? 'alipay' : 'wechat'
          const batches = readBill(bill, { format, bytesMax: uploadedBytesMax })
          const by = call.caller.name
          return compareBill(
            { db: kit.db, ledger: deps.ledger },
            { channel, day, batches, hash: bill.sha256, source: 'uploaded', by, at },
          )
        }),
      )
      await kit.db.system((tx) =>
        audit.act(tx, call, {
          agentId: call.caller.agentId,
          action: 'channel_bill.upload',
          subjectKind: 'channel_bill',
          subjectId: `${channel} ${day}`,
          after: { lines: compared.lines, differences: compared.differences, isKnown: compared.isKnown },
        }),
      )
      return { suc: true, data: compared }
    },
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** A file that is not compared is refused with what is wrong about it. */
async function refusing(work: () => Promise<ComparedBill>): Promise<ComparedBill> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof BillError) throw new AppError(cause.code, { values: { detail: cause.message }, cause })
    throw cause
  }
}
