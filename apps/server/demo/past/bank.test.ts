import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { createFinance, verifyLedger } from '#finance/public.ts'
import { testDatabase } from '#test/database.ts'
import { testKit } from '#test/kit.ts'
import { demoAccounts, demoTenants } from '../tenants.ts'
import { fillBank, fillLatestWithdrawals } from './bank.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'saddle-bank-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
const { db, owner } = await testDatabase()
const kit = testKit(db, { DEMO: 'true', DATA_DIR: dataDir })
const finance = createFinance(kit)

it('writes accounts, cards and withdrawals in every state, once', async () => {
  for (const { id, parentId, company } of demoTenants) {
    await owner.insertInto('agent').values({ id, parent_id: parentId, company }).execute()
  }
  await db.system(async (tx) => {
    for (const account of demoAccounts) await finance.saveAccount(tx, account)
  })
  const options = { kit, finance, people: new Map() }
  await fillBank(options)
  await fillBank(options)
  await fillLatestWithdrawals(options)
  await fillLatestWithdrawals(options)
  const rows = await owner.selectFrom('withdrawal').select(['state', 'cents', 'fee_cents']).execute()
  expect(rows).toHaveLength(13)
  expect(new Set(rows.map(({ state }) => state)).size).toBe(7)
  const paid = rows.filter(({ state }) => state === 'paid')
  const out = paid.reduce((sum, { cents, fee_cents }) => sum + cents - fee_cents, 0)
  expect(await finance.ledger.balanceOf({ agentId: demoTenants[1]!.id, account: { kind: 'clearing_bank' } })).toBe(out)
  expect((await verifyLedger(db)).faults).toEqual([])
  const [reviewing] = await owner
    .selectFrom('account_opening')
    .select('state')
    .where('state', '=', 'submitted')
    .execute()
  expect(reviewing).toBeDefined()
})
