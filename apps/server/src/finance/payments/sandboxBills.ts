import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DifferenceKind } from '@saddle/contract/finance/channelBills.ts'
import { addDays, businessDayEnd, businessDayStart, hourMs } from '@saddle/contract/time.ts'
import type { BillLine } from '../channelBills/bill.ts'
import { writeWechatBill } from '../channelBills/wechatBill.ts'
import type { DailyBill } from './channel.ts'

/** What the sandbox has taken or given back. */
export type SandboxMovement = Pick<BillLine, 'isRefund' | 'number' | 'orderNumber' | 'tradeNumber' | 'at' | 'cents'>

export type SandboxBillOptions = {
  readonly folder: string
  /** Of a day, a bounded number at a time. */
  readonly movements: (day: string) => AsyncIterable<readonly SandboxMovement[]>
  /** So many lines of a million differ from what the platform has; which ones follows from the seed. */
  readonly differencesPerMillion: number
  readonly seed: number
}

/** 0.6 %, in thousandths of a cent. */
const feeMillicentsOfCent = 6
/** Late enough that the last call-backs of the day are there. */
export const sandboxBillAfterMs = 2 * hourMs

/** A number of a text in [0, 2^32): the same for every run (FNV-1a, mixed once more). */
function hashOf(text: string, seed: number): number {
  let hash = (2_166_136_261 ^ seed) >>> 0
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619) >>> 0
  hash = Math.imul(hash ^ (hash >>> 15), 2_246_822_519) >>> 0
  return (hash ^ (hash >>> 13)) >>> 0
}

const fates: readonly DifferenceKind[] = ['long', 'short', 'amount', 'status', 'cross_day']

/** How the line of a movement differs; null: it does not. */
export function fateOf(
  { isRefund, number }: Pick<SandboxMovement, 'isRefund' | 'number'>,
  { seed, differencesPerMillion }: Pick<SandboxBillOptions, 'seed' | 'differencesPerMillion'>,
): DifferenceKind | null {
  const key = `${isRefund ? 'back' : 'pay'} ${number}`
  if (hashOf(key, seed) % 1_000_000 >= differencesPerMillion) return null
  return fates[hashOf(key, seed + 1) % fates.length] ?? null
}

/** The number of the line that stands beside a movement and that nobody knows. */
export const unknownPaymentOf = (number: string): string =>
  createHash('sha256').update(`outsider ${number}`).digest('hex').slice(0, 32)

function lineOf(movement: SandboxMovement, changes: Partial<BillLine> = {}): Omit<BillLine, 'n'> {
  const cents = changes.cents ?? movement.cents
  const fee = feeMillicentsOfCent * cents
  return { ...movement, feeMillicents: movement.isRefund ? -fee : fee, status: 'success', ...changes }
}

/** Lines of a day's bill, without their places: what was taken on the day, with its seeded differences. */
async function* seededLines(options: SandboxBillOptions, day: string): AsyncGenerator<Omit<BillLine, 'n'>[]> {
  const seconds = businessDayStart(day)
  for await (const movements of options.movements(addDays(day, -1))) {
    const late = movements.filter((movement) => fateOf(movement, options) === 'cross_day')
    yield late.map((movement) => lineOf(movement, { at: seconds + (hashOf(movement.number, 0) % 60) * 1_000 }))
  }
  for await (const movements of options.movements(day)) {
    yield movements.flatMap((movement) => linesOf(movement, fateOf(movement, options)))
  }
}

function linesOf(movement: SandboxMovement, fate: DifferenceKind | null): Omit<BillLine, 'n'>[] {
  const { isRefund, number, cents } = movement
  if (fate === 'short' || fate === 'cross_day') return []
  if (fate === 'amount') return [lineOf(movement, { cents: cents > 1 ? cents - 1 : cents + 1 })]
  if (fate === 'status') return [lineOf(movement, { status: isRefund ? 'processing' : 'revoked', feeMillicents: 0 })]
  if (fate !== 'long') return [lineOf(movement)]
  const unknown = unknownPaymentOf(number)
  const own = { number: unknown, tradeNumber: `sandbox-${unknown}` }
  return [lineOf(movement), lineOf(movement, isRefund ? own : { ...own, orderNumber: unknown })]
}

async function* numbered(batches: AsyncIterable<Omit<BillLine, 'n'>[]>): AsyncGenerator<BillLine[]> {
  let n = 0
  for await (const lines of batches) {
    yield lines.map((line) => {
      n += 1
      return Object.assign(line, { n })
    })
  }
}

/** Writes the bill of a day once, with its SHA-1 beside it, as a channel does: what it said does not change afterwards. */
async function writeOnce(options: SandboxBillOptions, day: string): Promise<{ path: string; sha1: string }> {
  const path = join(options.folder, `sandbox-${day}.csv`)
  const known = await readFile(`${path}.sha1`, 'utf8').catch(() => null)
  if (known !== null) return { path, sha1: known.trim() }
  await mkdir(options.folder, { recursive: true, mode: 0o700 })
  const hash = createHash('sha1')
  const file = await open(`${path}.part`, 'w', 0o600)
  try {
    for await (const text of writeWechatBill(numbered(seededLines(options, day)))) {
      const bytes = Buffer.from(text)
      hash.update(bytes)
      await file.writeFile(bytes)
    }
  } finally {
    await file.close()
  }
  const sha1 = hash.digest('hex')
  await rename(`${path}.part`, path)
  await writeFile(`${path}.sha1`, `${sha1}\n`, { mode: 0o600 })
  return { path, sha1 }
}

/** The bill of a day, as soon as the day is over and its call-backs are in; null before. */
export async function sandboxBill(
  options: SandboxBillOptions,
  { day, now }: { readonly day: string; readonly now: number },
): Promise<DailyBill | null> {
  if (now < businessDayEnd(day) + sandboxBillAfterMs) return null
  const { path, sha1 } = await writeOnce(options, day)
  return { format: 'wechat', sha1, chunks: createReadStream(path) }
}
