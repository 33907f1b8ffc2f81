import { dayMs } from '@saddle/contract/time.ts'
import type { AppCall } from '#kit/call.ts'
import { testDatabase } from '#test/database.ts'
import { publicCall, sessionCall, testKit } from '#test/kit.ts'
import { createRiders } from '#test/riderDirectory.ts'
import { createFinance } from '../public.ts'

/** Two companies with an area each, and riders of the first who pay by the sandbox. */
export async function moneyWorld() {
  const { db, owner } = await testDatabase()
  const kit = testKit(db, { DEMO: 'true', PREPAID_CAP_YUAN: '0' })
  const finance = createFinance(kit, createRiders(kit))
  const { handlers } = finance
  if (finance.sandbox === null) throw new Error('the demo has a sandbox')
  const sandbox = finance.sandbox
  await owner
    .insertInto('agent')
    .values([
      { id: 2, parent_id: null, company: '总部' },
      { id: 3, parent_id: 2, company: '城北' },
      { id: 4, parent_id: 2, company: '城南' },
    ])
    .execute()
  const place = { centre_lat: 31, centre_lng: 120, ring: '[[120,31],[120.1,31],[120.1,31.1],[120,31]]' }
  await owner
    .insertInto('service_area')
    .values([
      { id: 31, agent_id: 3, name: '城北', ...place },
      { id: 41, agent_id: 4, name: '城南', ...place },
    ])
    .execute()

  const agentId = 3
  const day = dayMs
  const clerk = sessionCall({ operatorId: 7, agentId, grant: { agentIds: [3], areaIds: [31] }, name: '周可' })
  const outsider = sessionCall({ operatorId: 8, agentId: 4, grant: { agentIds: [4], areaIds: [41] } })
  const app: AppCall = { ...publicCall(), app: { id: 1, agentIds: [3] } }
  const otherApp: AppCall = { ...publicCall(), app: { id: 2, agentIds: [4] } }

  let people = 0
  async function newRider() {
    people += 1
    const phone = `1390013${String(people).padStart(4, '0')}`
    const [riderId = 0] = await db.system((tx) => createRiders(kit).ensure(tx, [{ agentId, phone, name: null }]))
    const pay = async (number: string | undefined) => sandbox.pay(number ?? '')
    return {
      phone,
      riderId,
      ask: (cents: number) => handlers.recharge({ phone, cents }, app),
      recharge: async (cents: number) => pay((await handlers.recharge({ phone, cents }, app)).data.number),
      deposit: async () => pay((await handlers.payDeposit({ phone, areaId: 31 }, app)).data.payment?.number),
      wallet: async () => (await handlers.userWallet({ riderId, book: 'wallet', pageSize: 20 }, clerk)).data,
      deposits: async () =>
        (await handlers.listDeposits({ filter: { riderId }, sort: 'paid', pageSize: 20 }, clerk)).data.list,
      cards: async () => (await handlers.myCards({ riderId }, clerk)).data.list,
      payments: async () => (await handlers.riderPayments({ riderId, pageSize: 20 }, clerk)).data.list,
    }
  }
  return { db, owner, kit, finance, sandbox, agentId, day, clerk, outsider, app, otherApp, newRider }
}
