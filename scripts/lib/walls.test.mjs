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
    ['apps/console/src/app/main.tsx', '@saddle/server/x.ts'],
    ['apps/simulator/src/main.ts', '@saddle/server/x.ts'],
    ['apps/server/src/kit/bus.ts', '#identity/public.ts'],
    ['apps/server/src/identity/public.ts', '#app/http.ts'],
    ['apps/server/src/identity/public.ts', '#fleet/commands/store.ts'],
    ['apps/server/src/app/wiring.ts', '#fleet/commands/store.ts'],
    ['apps/server/src/finance/public.ts', '#riding/public.ts'],
    ['apps/console/src/fleet/pages.ts', '#support/chat.tsx'],
    ['apps/server/src/fleet/public.ts', '#test/database.ts'],
  ])('%s may not import %s', (path, specifier) => {
    expect(whyOf(path, from(specifier))).toHaveLength(1)
  })

  it.each([
    ['packages/contract/src/errors.ts', 'zod'],
    ['packages/contract/src/errors.ts', '#contract/constants.ts'],
    ['apps/server/src/identity/public.ts', '#audit/public.ts'],
    ['apps/server/src/identity/login/handlers.ts', './rules.ts'],
    ['apps/server/src/identity/login/login.test.ts', '#test/database.ts'],
    ['apps/console/src/app/router.tsx', '#fleet/pages.ts'],
    ['apps/server/src/app/wiring.ts', '#fleet/public.ts'],
  ])('%s may import %s', (path, specifier) => {
    expect(whyOf(path, from(specifier))).toEqual([])
  })

  it('bans what no linter knows', () => {
    expect(whyOf('apps/server/src/a/rules.ts', 'const t = Date.now()')).toHaveLength(1)
    expect(whyOf('apps/server/src/a/store.ts', 'console.log(1)')).toHaveLength(1)
    expect(whyOf('apps/server/src/a/outboxCli.ts', 'console.log(1)')).toEqual([])
    expect(whyOf('apps/server/src/a/store.ts', '// TO'.concat('DO later'))).toHaveLength(1)
    expect(whyOf('apps/server/src/a/store.ts', 'x\n'.repeat(601))).toHaveLength(1)
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
