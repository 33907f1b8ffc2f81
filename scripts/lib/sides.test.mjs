import { expect, it } from 'vitest'
import { sideFaults } from './sides.mjs'

const contract = {
  path: 'packages/contract/src/rider/bans.ts',
  text: 'export const banEndpoints = defineEndpoints({})',
}
const handlers = { path: 'apps/server/src/rider/bans/handlers.ts', text: '' }
const use = "import { banEndpoints } from '@saddle/contract/rider/bans.ts'"
const page = { path: 'apps/console/src/rider/bans/BansPage.tsx', text: use }
const otherPage = { path: 'apps/console/src/rider/blacklist/BansPage.tsx', text: use }
const none = { server: {}, console: {} }

it('lets one name stand on all sides', () => {
  expect(sideFaults([contract, handlers, page], none)).toEqual([])
  expect(sideFaults([contract, { path: 'apps/server/src/rider/bans.ts', text: '' }], none)).toEqual([])
})

it('refuses another name on the server and in a console that uses the calls', () => {
  expect(sideFaults([contract, page], none)).toHaveLength(1)
  expect(sideFaults([contract, handlers, otherPage], none)).toHaveLength(1)
  expect(sideFaults([contract, { ...handlers, path: 'apps/server/src/riding/bans/handlers.ts' }], none)).toHaveLength(1)
})

it('takes exceptions that are needed, and no others', () => {
  const allowed = { server: {}, console: { 'rider/bans': 'a reason' } }
  expect(sideFaults([contract, handlers, otherPage], allowed)).toEqual([])
  expect(sideFaults([contract, handlers, page], allowed)).toHaveLength(1)
})
