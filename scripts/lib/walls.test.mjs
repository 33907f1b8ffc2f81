import { describe, expect, it } from 'vitest'
import { domainCycles, faultsOf, importsOf } from './walls.mjs'

const whyOf = (path, text) => faultsOf({ path, text }).map((fault) => fault.why)
const from = (specifier) => `import { a } from '${specifier}'\n`

describe('imports', () => {
  it('finds every form', () => {
    const text = `import a from 'one'\nimport type { b } from "two"\nexport { c } from 'three'\nimport 'four'\nconst d = import('five')`
    expect(importsOf(text)).toEqual(['one', 'two', 'three', 'four', 'five'])
  })
})

describe('walls', () => {
  it.each([
    ['apps/server/src/identity/login/handlers.ts', '../../fleet/public.ts'],
    ['packages/contract/src/errors.ts', 'fastify'],
    ['packages/contract/src/errors.ts', '@saddle/server/x.ts'],
    ['packages/geo/src/earth.ts', '@saddle/contract/constants.ts'],
    ['apps/console/src/app/main.tsx', '@saddle/server/x.ts'],
    ['apps/simulator/src/main.ts', '@saddle/server/x.ts'],
    ['apps/server/src/kit/bus.ts', '#identity/public.ts'],
    ['apps/server/src/identity/public.ts', '#app/http.ts'],
    ['apps/server/src/identity/public.ts', '#fleet/commands/store.ts'],
    ['apps/server/src/app/wiring.ts', '#fleet/commands/store.ts'],
    ['apps/server/src/finance/public.ts', '#riding/public.ts'],
    ['apps/console/src/fleet/pages.ts', '#support/chat.tsx'],
    ['apps/console/src/finance/pages.ts', '#rider/public.ts'],
    ['apps/server/src/fleet/public.ts', '#test/database.ts'],
    ['apps/server/src/fleet/public.ts', '#demo/prices.ts'],
    ['apps/server/src/app/greeting.ts', '#demo/people.ts'],
    ['apps/server/src/fleet/public.ts', '#rider/demoDoor.ts'],
    ['apps/server/demo/past/orders.ts', '#riding/charges/store.ts'],
  ])('%s may not import %s', (path, specifier) => {
    expect(whyOf(path, from(specifier))).toHaveLength(1)
  })

  it.each([
    ['packages/contract/src/errors.ts', 'zod'],
    ['packages/contract/src/errors.ts', '#contract/constants.ts'],
    ['packages/contract/src/geography/shape.ts', '@saddle/geo/earth.ts'],
    ['apps/server/src/identity/public.ts', '#audit/public.ts'],
    ['apps/server/src/identity/login/handlers.ts', './rules.ts'],
    ['apps/server/src/identity/login/login.test.ts', '#test/database.ts'],
    ['apps/console/src/app/router.tsx', '#fleet/pages.ts'],
    ['apps/server/src/app/wiring.ts', '#fleet/public.ts'],
    ['apps/server/demo/past/orders.ts', '#riding/demoDoor.ts'],
    ['apps/server/src/main.ts', '#demo/run.ts'],
    ['apps/console/src/rider/detail/RiderPage.tsx', '#finance/public.ts'],
  ])('%s may import %s', (path, specifier) => {
    expect(whyOf(path, from(specifier))).toEqual([])
  })

  it('bans what no linter knows', () => {
    expect(whyOf('apps/server/src/a/rules.ts', 'const t = Date.now()')).toHaveLength(1)
    expect(whyOf('apps/server/src/a/store.ts', 'console.log(1)')).toHaveLength(1)
    expect(whyOf('apps/server/src/a/outboxCli.ts', 'console.log(1)')).toEqual([])
    expect(whyOf('apps/server/src/a/store.ts', '// TO'.concat('DO later'))).toHaveLength(1)
    expect(whyOf('apps/server/src/a/store.ts', 'x\n'.repeat(401))).toHaveLength(1)
  })

  it.each([
    ['apps/server/src/a/rules.ts', 'const dayMs = 86_400_000'],
    ['apps/console/src/kit/span.ts', 'const dayMs = 24 * 3_600_000'],
    ['bench/work.ts', 'const hour = 60 * 60 * 1000'],
    ['apps/server/src/a/days.ts', 'const shift = 8 * hourMs'],
    ['apps/server/src/a/rules.ts', 'const shift = 8 * 60 * minuteMs'],
    ['apps/server/src/a/store.ts', 'sql`sqrt(x) * 111195 < 5`'],
    ['e2e/rides.test.ts', 'const perDegree = 111_195'],
    ['apps/console/src/kit/map/way.ts', 'const earthRadiusM = 6_371_008.8'],
    ['apps/console/src/kit/map/way.ts', 'const earthRadiusKm = 6371'],
    ['apps/console/src/finance/cards/Cards.tsx', 'const text = (cents / 100).toFixed(2)'],
  ])('%s may not spell out %s', (path, text) => {
    expect(whyOf(path, text)).toHaveLength(1)
  })

  it.each([
    ['packages/contract/src/time.ts', 'export const hourMs = 3_600_000'],
    ['packages/geo/src/earth.ts', 'export const metresPerDegree = 111_195'],
    ['apps/server/src/a/a.test.ts', 'clock.advance(8 * hourMs)'],
    ['apps/server/src/a/a.test.ts', "send('111111', 1_111_111_109)"],
    ['apps/server/src/a/rules.ts', 'const patienceMs = 18 * hourMs'],
  ])('%s may say %s', (path, text) => {
    expect(whyOf(path, text)).toEqual([])
  })

  it('finds circles between domains', () => {
    const files = [
      { path: 'apps/server/src/a/public.ts', text: from('#b/public.ts') },
      { path: 'apps/server/src/b/public.ts', text: from('#c/public.ts') },
      { path: 'apps/server/src/c/public.ts', text: from('#a/public.ts') },
    ]
    expect(domainCycles(files)).toContain('a → b → c → a')
    expect(domainCycles(files.slice(0, 2))).toEqual([])
  })
})
