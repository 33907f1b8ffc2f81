// `npm run cluster`: set-up, then three machines of a cluster as network namespaces of this one.
import { becomeProjectNode } from './lib/node24.mjs'
import { orOneLine, setUp } from './lib/setup.mjs'

await orOneLine(async () => {
  setUp()
  if (!becomeProjectNode()) await import('../apps/server/test/cluster/main.ts')
})
