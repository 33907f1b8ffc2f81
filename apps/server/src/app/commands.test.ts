import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { rideCharge } from '#finance/ledger/recipes.ts'
import { statementPages } from '#finance/splitBills/statementPages.ts'
import { statementFile } from '#finance/splitBills/statementRules.ts'
import { createLedger } from '#finance/ledger/ledger.ts'
import { withDatabase } from '#test/cluster.ts'
import { testDatabase } from '#test/database.ts'
import { testKit } from '#test/kit.ts'

const { db, owner, url } = await testDatabase()
const kit = testKit(db)
const folder = mkdtempSync(join(tmpdir(), 'saddle-commands-'))

type Run = { readonly status: number | null; readonly last: string; readonly stderr: string }

/** A command as a shell runs it. */
function run(command: string, args: readonly string[] = [], databaseUrl: string | null = url): Run {
  const script = fileURLToPath(new URL(`../${command}`, import.meta.url))
  const { DATABASE_URL: _, ...env } = process.env
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', script, ...args],
    {
      env: { ...env, DATA_DIR: folder, ...(databaseUrl !== null && { DATABASE_URL: databaseUrl }) },
      encoding: 'utf8',
    },
  )
  return { status, last: stdout.trimEnd().split('\n').at(-1) ?? '', stderr }
}

const reconcile = 'finance/channelBills/reconcileCli.ts'

describe('commands', () => {
  it('ledger:verify and ledger:reconcile end with their verdict', () => {
    expect(run('app/ledgerVerifyCli.ts')).toMatchObject({ status: 0, last: 'ledger: 0 entries, 0 postings, sound' })
    expect(run('riding/reconcile/reconcileCli.ts')).toMatchObject({
      status: 0,
      last: expect.stringMatching(/reconciled$/),
    })
  })

  it('finance:reconcile ends with one line, and with 1 where something differs', async () => {
    expect(run(reconcile)).toMatchObject({ status: 0, last: 'finance: 0 days, 0 cents, 0 differences' })
    expect(run(reconcile, ['--from', 'yesterday'])).toMatchObject({ status: 2, last: '' })
    expect(run(reconcile, ['--from', '2026-10-02', '--to', '2026-10-01']).status).toBe(2)
    await owner.insertInto('agent').values({ id: 2, company: '平台' }).execute()
    // Income of a ride that no payment and no order knows.
    const at = Date.parse('2026-10-01T12:00:00+08:00')
    const sources = [{ account: { kind: 'clearing_sandbox' } as const, cents: 100 }]
    await createLedger(kit).post(rideCharge({ agentId: 2, orderId: 1, at, cents: 100, sources }))
    expect(run(reconcile, ['--from', '2026-10-01', '--to', '2026-10-01'])).toMatchObject({
      status: 1,
      last: 'finance: 0 days, 0 cents, 2 differences',
    })
    expect(run('app/ledgerVerifyCli.ts').status).toBe(1)
    expect(run('riding/reconcile/reconcileCli.ts').status).toBe(1)
  })

  it('rider:app gives a key, and says what is wrong with its arguments', () => {
    const app = 'riding/apps/appCli.ts'
    expect(run(app)).toMatchObject({ status: 2, stderr: expect.stringContaining('usage:') })
    expect(run(app, ['99', 'app'])).toMatchObject({ status: 1, stderr: expect.stringContaining('2 平台') })
    expect(run(app, ['2', 'app'])).toMatchObject({ status: 0, last: expect.stringMatching(/^\S{20,}$/) })
    expect(run(app, ['2', 'app', '--off'])).toMatchObject({ status: 0, last: 'app is switched off' })
  })

  it('say in one line why they cannot work', () => {
    const empty = withDatabase({ url, database: 'postgres' })
    expect(run(reconcile, [], empty)).toMatchObject({
      status: 2,
      stderr: 'this database has no tables of the platform; start the platform on it once\n',
    })
    const nowhere = run('app/ledgerVerifyCli.ts', [], 'postgresql://saddle@127.0.0.1:1/saddle')
    expect(nowhere).toMatchObject({ status: 2, last: '' })
    expect(nowhere.stderr).toBe('no connection to the database\n')
  })

  it('statement:verify proves either form of a statement without a database', async () => {
    const bill = {
      id: 1,
      day: '2026-10-01',
      areaId: 31,
      areaName: '城北',
      lines: 2,
      paidCents: 1_000,
      feeCents: 6,
      platformBorneCents: 0,
      partnerBorneCents: 0,
      parties: [{ partyId: 1, name: '场地方', cents: 94 }],
      ownerCents: 900,
      hash: '0'.repeat(64),
    }
    const { text, hash } = statementFile({
      agentId: 2,
      company: '平台',
      firstDay: '2026-10-01',
      lastDay: '2026-10-31',
      bills: [bill],
      corrections: [],
      previousHash: null,
    })
    const [csv, pdf, wrong] = ['s.csv', 's.pdf', 'wrong.csv'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ]
    writeFileSync(csv, text)
    writeFileSync(pdf, await statementPages(text))
    writeFileSync(wrong, text.replace('9.00', '9.01'))
    const verify = (...args: string[]) => run('finance/splitBills/statementCli.ts', args, null)
    const proved = { status: 0, last: `statement: 1 bills, 10.00, ${hash}, proved`, stderr: '' }
    expect(verify(csv)).toEqual(proved)
    expect(verify(csv, hash)).toEqual(proved)
    expect(verify(pdf, hash)).toEqual(proved)
    expect(verify(pdf, '1'.repeat(64))).toMatchObject({ status: 1, last: expect.stringMatching(/, 1 faults$/) })
    expect(verify(wrong)).toMatchObject({ status: 1, last: expect.stringMatching(/faults$/) })
    expect(verify()).toMatchObject({ status: 2, stderr: expect.stringContaining('usage:') })
    expect(verify(join(folder, 'none'))).toMatchObject({ status: 2, stderr: expect.stringContaining('ENOENT') })
  })
})
