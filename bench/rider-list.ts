/**
 * The list of riders over 5,000,000 of them, filtered by every offered combination of conditions, each with its count,
 * through the whole stack: `node bench/rider-list.ts [--quick]`.
 */
import { createKeyring } from '@saddle/server/kit/crypto.ts'
import { riderPeopleEndpoints, type riderList, type RiderFilter } from '@saddle/contract/rider/riders.ts'
import { dayMs } from '@saddle/contract/time.ts'
import { startDemo } from './lib/demo.ts'
import { addRiders } from './lib/manyRiders.ts'
import { isQuick, judge, median, quantile, say, state, whole } from './lib/report.ts'

const riders = isQuick ? 100_000 : 5_000_000
const rounds = isQuick ? 1 : 3
const limitMs = 50
const secret = 'a secret of benchmarks that is long enough'
const name = '欧阳若兰'
const certNumber = 'BENCH0001'

type Part = readonly [name: string, filter: RiderFilter]
const now = Date.now()
/** Every dimension of the filter with the ways in which it cuts: not at all, widely, hardly anything left. */
const dimensions: readonly (readonly Part[])[] = [
  [
    ['', {}],
    ['verified', { certified: true }],
    ['not verified', { certified: false }],
  ],
  [
    ['', {}],
    ['banned', { banned: true }],
  ],
  [
    ['', {}],
    ['students', { certificates: ['student'] }],
    ['professions', { certificates: ['profession'] }],
  ],
  [
    ['', {}],
    ['from 50 yuan', { balances: ['much'] }],
    ['some money', { balances: ['little', 'some', 'much'] }],
  ],
  [
    ['', {}],
    ['last week', { from: now - 7 * dayMs }],
    ['a day last winter', { from: now - 300 * dayMs, to: now - 299 * dayMs }],
  ],
  [
    ['', {}],
    ['closed', { state: 'closed' }],
  ],
]
const lookUps: readonly Part[] = [
  ['a name', { name }],
  ['a certificate', { certNumber }],
  ['a number', { riderId: 1_000_300 }],
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
const known = {
  sealed: keyring.encryptText({ purpose: 'rider', text: '17000000000', context: hash }),
  hash,
  nameHash: keyring.hmac({ purpose: 'rider-name', text: name }),
  certHash: keyring.hmac({ purpose: 'rider-certificate', text: certNumber }),
}
const startedAt = performance.now()
const demo = await startDemo({
  historyDays: 0,
  env: { SADDLE_SECRET: secret },
  prepare: (database) => addRiders(database, riders, known),
})
try {
  say(`${whole(riders)} riders, made in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
  const took: { name: string; ms: number }[] = []
  const ask = async ([words, filter]: Part, sort: keyof typeof riderList.sorts): Promise<void> => {
    const from = performance.now()
    const asked = { filter, sort, pageSize: 50 }
    const { data } = await demo.call(riderPeopleEndpoints.searchRiders, asked)
    took.push({ name: `${words === '' ? 'no condition' : words}, by ${sort}`, ms: performance.now() - from })
    if (data.nextCursor === null) return
    const second = performance.now()
    await demo.call(riderPeopleEndpoints.searchRiders, { ...asked, cursor: data.nextCursor })
    took.push({ name: `${words}, by ${sort}, second page`, ms: performance.now() - second })
  }
  const askAll = async (): Promise<void> => {
    for (const sort of ['registered', 'active'] as const)
      for (const part of [...combinations, ...lookUps]) await ask(part, sort)
  }
  await askAll()
  took.length = 0
  for (let round = 0; round < rounds; round += 1) await askAll()
  const all = took.map(({ ms }) => ms)
  judge({
    what: `${(combinations.length + lookUps.length) * 2} combinations, first and second page`,
    figure: `p50 ${median(all).toFixed(1)} ms, p99 ${quantile(all, 0.99).toFixed(1)} ms`,
    isMet: quantile(all, 0.99) <= limitMs,
    goal: `p99 <= ${limitMs} ms`,
  })
  const slowest = took.toSorted((a, b) => b.ms - a.ms).slice(0, 5)
  for (const { name: words, ms } of slowest) state(`  slowest: ${words}`, `${ms.toFixed(1)} ms`)
} finally {
  await demo.stop()
}
