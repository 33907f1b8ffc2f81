/**
 * The list of coupons over 5,000,000 of them, filtered by every offered combination of conditions, each with its count,
 * through the whole stack: `node bench/coupons.ts [--quick]`.
 */
import { createKeyring } from '@saddle/server/kit/crypto.ts'
import { couponEndpoints, type CouponFilter } from '@saddle/contract/marketing/coupons.ts'
import { dayMs } from '@saddle/contract/time.ts'
import { startDemo } from './lib/demo.ts'
import { addCoupons, aCode, aRider, largeTemplate, smallTemplate } from './lib/manyCoupons.ts'
import { isQuick, judge, median, quantile, say, state, whole } from './lib/report.ts'

const coupons = isQuick ? 100_000 : 5_000_000
const rounds = isQuick ? 1 : 3
const limitMs = 50
const secret = 'a secret of benchmarks that is long enough'

type Part = readonly [name: string, filter: CouponFilter]
const now = Date.now()
/** Every dimension of the filter with the ways in which it cuts: not at all, widely, hardly anything left. */
const dimensions: readonly (readonly Part[])[] = [
  [
    ['', {}],
    ['a large kind', { templateId: largeTemplate }],
    ['a small kind', { templateId: smallTemplate }],
  ],
  [
    ['', {}],
    ['a batch', { batchId: largeTemplate * 10 + 3 }],
  ],
  [
    ['', {}],
    ['open', { states: ['open'] }],
    ['used and expired', { states: ['used', 'expired'] }],
    ['revoked', { states: ['revoked'] }],
  ],
  [
    ['', {}],
    ['last week', { from: now - 7 * dayMs }],
    ['a day last winter', { from: now - 300 * dayMs, to: now - 299 * dayMs }],
  ],
  [
    ['', {}],
    ['a rider', { riderId: aRider }],
    ['a code', { code: aCode }],
  ],
]

const combinations = dimensions.reduce<readonly Part[]>(
  (before, parts) =>
    before.flatMap(([names, filter]) =>
      parts.map(([word, part]): Part => [[names, word].filter((one) => one !== '').join(', '), { ...filter, ...part }]),
    ),
  [['', {}]],
)

const keyring = createKeyring({ secret })
const hash = 'bench '
const sealed = keyring.encryptText({ purpose: 'rider', text: '17000000000', context: hash })
const startedAt = performance.now()
const demo = await startDemo({
  historyDays: 0,
  env: { SADDLE_SECRET: secret },
  prepare: (database) => addCoupons(database, coupons, { sealed, hash }),
})
try {
  say(`${whole(coupons)} coupons, ready after ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
  const took: { name: string; ms: number }[] = []
  const ask = async ([words, filter]: Part): Promise<void> => {
    const from = performance.now()
    const asked = { filter, pageSize: 50 }
    const { data } = await demo.call(couponEndpoints.listCoupons, asked)
    took.push({ name: words === '' ? 'no condition' : words, ms: performance.now() - from })
    if (data.nextCursor === null) return
    const second = performance.now()
    await demo.call(couponEndpoints.listCoupons, { ...asked, cursor: data.nextCursor })
    took.push({ name: `${words}, second page`, ms: performance.now() - second })
  }
  const askAll = async (): Promise<void> => {
    for (const part of combinations) await ask(part)
  }
  await askAll()
  took.length = 0
  for (let round = 0; round < rounds; round += 1) await askAll()
  const all = took.map(({ ms }) => ms)
  judge({
    what: `${combinations.length} combinations, first and second page`,
    figure: `p50 ${median(all).toFixed(1)} ms, p99 ${quantile(all, 0.99).toFixed(1)} ms`,
    isMet: quantile(all, 0.99) <= limitMs,
    goal: `p99 <= ${limitMs} ms`,
  })
  const slowest = took.toSorted((a, b) => b.ms - a.ms).slice(0, 5)
  for (const { name: words, ms } of slowest) state(`  slowest: ${words}`, `${ms.toFixed(1)} ms`)
} finally {
  await demo.stop()
}
