import { expect, it } from 'vitest'
import { glossaryFaults, replacedNames } from './glossary.mjs'

const whyOf = (path, text) => glossaryFaults({ path, text }).map(({ why }) => why)

it('finds a replaced name in code, once per file and with its line', () => {
  const text = 'const a = 1\nawait tellStory(a)\nawait tellStory(a)\n'
  expect(glossaryFaults({ path: 'apps/simulator/src/main.ts', text })).toEqual([
    {
      path: 'apps/simulator/src/main.ts',
      line: 2,
      why: 'tellStory: the glossary calls it simulateRide (docs/glossary.md)',
    },
  ])
})

it('finds every name of the list', () => {
  for (const name of Object.keys(replacedNames)) {
    expect(whyOf('e2e/x.test.ts', `const ${name} = 1`)).toHaveLength(1)
  }
})

it('does not match parts of longer names, comments or documents', () => {
  expect(whyOf('apps/console/src/a.tsx', '// Hand it over.\n/** Ground */')).toEqual([])
  expect(whyOf('apps/console/src/a.tsx', 'const Handle = GroundTruth')).toEqual([])
  expect(whyOf('docs/glossary.md', '`tellStory`')).toEqual([])
})
