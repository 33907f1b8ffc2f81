import { afterEach, describe, expect, it, vi } from 'vitest'
import { financialLowerLevel, financialStatusActive } from '@saddle/contract/constants.ts'
import type { Endpoint } from '@saddle/contract/endpoint.ts'
import { everyCall } from '@saddle/contract/endpoints.ts'
import { isRoutePermitted, menuRows } from '@saddle/contract/menu.ts'
import { applyFinancialStatus, permissionCodes } from '@saddle/contract/permissions.ts'
import { specifiedCalls } from '@saddle/contract/specifiedCalls.ts'
import type { CallOptions } from '#test/client.ts'
import type { SealedName } from '#test/isolation/specimens/specimen.ts'
import { inputFor } from '#test/isolation/world.ts'
import { testPlatform } from '#test/platform.ts'
import { seedTenants, type TenantFixture } from '#test/tenants.ts'

const tenants: TenantFixture[] = []
const server = await testPlatform({
  env: { SERVICES: 'api' },
  seed: async (kit) => {
    tenants.push(...(await seedTenants(kit)))
  },
})
const [alpha, bravo] = [tenants[0]!, tenants[1]!]
const manager = await server.login(alpha.manager)

const named = new Map(
  Object.entries(everyCall).map(([name, endpoint]) => [`${endpoint.method} ${endpoint.path}`, { name, endpoint }]),
)
const specified = specifiedCalls
  .filter(([, , host]) => host === 'finance')
  .map(([method, path]) => ({ path, call: named.get(`${method} ${path}`) }))

const refusalOf = (body: unknown) => (body as { error?: { code: string; promot: string } }).error
const call = (name: string, endpoint: Endpoint, options: CallOptions = {}) =>
  manager.call(endpoint, inputFor(name as SealedName, alpha, alpha.manager), options)

afterEach(() => {
  vi.restoreAllMocks()
})

describe('finance calls', () => {
  it('are all there, under the names of the specification', () => {
    expect(specified).toHaveLength(49)
    expect(specified.filter(({ call: known }) => known?.endpoint.host !== 'finance')).toEqual([])
  })

  it.each(specified)('$path asks for phone, agentId and traceId, and says its trace', async ({ call: known }) => {
    const { name, endpoint } = known!
    for (const header of ['phone', 'agentId', 'traceId']) {
      const { status, body } = await call(name, endpoint, { headers: { [header]: '' } })
      expect([status, refusalOf(body)?.code]).toEqual([400, 'bad_request'])
      expect(refusalOf(body)?.promot).toContain(header)
    }
    expect((await call(name, endpoint, { headers: { traceId: 'a b' } })).status).toBe(400)
    for (const foreign of [{ phone: bravo.manager }, { agentId: String(bravo.agentId) }]) {
      expect((await call(name, endpoint, { headers: foreign })).status).toBe(401)
    }
    const answers: (string | null)[] = []
    const logged = vi.spyOn(server.kit.log, 'info')
    const traceId = `trace-of-${name}`
    const onAnswer = (headers: Headers): void => void answers.push(headers.get('traceid'))
    const { status } = await call(name, endpoint, { headers: { traceId }, onAnswer })
    // Without a bank some of them cannot be done.
    expect([200, 400, 403, 404, 409, 503]).toContain(status)
    expect(answers).toEqual([traceId])
    await expect
      .poll(() => logged.mock.calls.map(([line]) => line))
      .toContainEqual(expect.objectContaining({ traceId, call: name, status }))
  })
})

/** What of the finance pages opens in a state of the account: to the letter of section 4. */
const pages = menuRows.filter(({ path, group }) => path.startsWith('/financial/') && group !== true)
const ofSplits = ['/financial/SplitBill']
const all = pages.map(({ path }) => path).filter((path) => path !== '/financial/ChannelBills')
const withoutBills = all.filter(
  (path) =>
    !['billDetails', 'objectionBill', 'objectionApply', 'objectionBillInfo', 'DosageDetails', 'ServiceDetails'].some(
      (page) => path === `/financial/${page}`,
    ),
)

/** A call that each page begins with. */
const firstCalls: Readonly<Record<string, SealedName>> = {
  '/financial/CostCenter': 'businessAssets',
  '/financial/CostCenter/recharge': 'prepareCharge',
  '/financial/CostCenter/withdraw': 'fileWithdrawal',
  '/financial/TransactionDetails': 'listAssetDetails',
  '/financial/SplitBill': 'listSplitBills',
  '/financial/billDetails': 'listServiceBills',
  '/financial/DosageDetails': 'listBillLines',
  '/financial/ServiceDetails': 'billLineDetails',
  '/financial/objectionApply': 'submitObjection',
  '/financial/objectionBill': 'listObjections',
  '/financial/objectionBillInfo': 'decideObjection',
  '/financial/SubAccountRule': 'listSplitTerms',
  '/financial/AccountManager': 'listCompanyAccounts',
}

type Row = readonly [status: number | null, accountLevel: number | null, open: readonly string[]]
const rows: readonly Row[] = [
  [null, null, ofSplits],
  ...[0, 1, 3, 4, 9].flatMap((status): Row[] => [
    [status, null, ofSplits],
    [status, financialLowerLevel, ofSplits],
    [status, 2, ofSplits],
  ]),
  [financialStatusActive, financialLowerLevel, withoutBills],
  [financialStatusActive, null, all],
  [financialStatusActive, 2, all],
  [financialStatusActive, 9, all],
]

describe('the financial account', () => {
  it('has a call for each page', () => {
    expect(Object.keys(firstCalls).toSorted()).toEqual(all.toSorted())
  })

  it.each(rows)('status %s and level %s', async (status, accountLevel, open) => {
    const held = new Set(applyFinancialStatus(permissionCodes, status === null ? null : { status, accountLevel }))
    expect(all.filter((path) => isRoutePermitted(path, held))).toEqual(open)
    await server.owner.deleteFrom('financial_account').where('agent_id', '=', alpha.agentId).execute()
    if (status !== null) {
      const account = { agentId: alpha.agentId, status, accountLevel, authStatus: 1, accountType: 'company' as const }
      const names = { customerName: null, name: null }
      await server.kit.db.system((tx) => server.platform.domains.finance.saveAccount(tx, { ...account, ...names }))
    }
    const refused: string[] = []
    for (const [path, name] of Object.entries(firstCalls)) {
      const { status: code, body } = await call(name, everyCall[name])
      if (code === 403 && refusalOf(body)?.code === 'forbidden') refused.push(path)
    }
    expect(refused.toSorted()).toEqual(all.filter((path) => !open.includes(path)).toSorted())
  })
})
