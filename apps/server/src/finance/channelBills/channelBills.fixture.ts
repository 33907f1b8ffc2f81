import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { businessDayStart, dayMs, hourMs } from '@saddle/contract/time.ts'
import { createSeededRandom } from '#kit/random.ts'
import { testDatabase } from '#test/database.ts'
import { sessionCall, testKit } from '#test/kit.ts'
import { createRiders } from '#test/riderDirectory.ts'
import { createFinance } from '../public.ts'
import { sandboxBill, type SandboxBillOptions, type SandboxMovement } from '../payments/sandboxBills.ts'
import { sandboxMovements } from '../payments/sandboxMovements.ts'
import { fetchAndCompare } from './job.ts'

/** Days whose bills are compared. */
export const days = ['2026-11-10', '2026-11-11', '2026-11-12'] as const

/** Two companies with a rider each, below the platform's own. */
export async function billWorld() {
  const { db, owner } = await testDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'saddle-recon-'))
  const kit = testKit(db, { DEMO: 'true', DATA_DIR: dataDir, PREPAID_CAP_YUAN: '0' })
  kit.clock.advance(businessDayStart('2026-11-14') + 12 * hourMs - kit.clock.now())
  const finance = createFinance(kit, createRiders(kit))
  await owner
    .insertInto('agent')
    .values([
      { id: 2, parent_id: null, company: '总部' },
      { id: 3, parent_id: 2, company: '城北' },
      { id: 4, parent_id: 2, company: '城南' },
    ])
    .execute()
  const riders = await db.system((tx) =>
    createRiders(kit).ensure(tx, [
      { agentId: 3, phone: '13900130001', name: null },
      { agentId: 4, phone: '13900130002', name: null },
    ]),
  )
  const person = (operatorId: number, agentId = 2) =>
    sessionCall({
      operatorId,
      agentId,
      grant: { agentIds: agentId === 2 ? [3, 4] : [agentId], areaIds: [] },
      permissions: ['FinancialReconciliation'],
      name: `n${operatorId}`,
    })
  return { db, owner, kit, finance, riders, person, folder: join(dataDir, 'bills') }
}
export type BillWorld = Awaited<ReturnType<typeof billWorld>>

/** Recharges and refunds of three days, as calls and call-backs would have left them. */
export async function fill({ owner, finance, riders }: BillWorld, seed: number, payments: number): Promise<void> {
  const random = createSeededRandom(seed)
  const rows = Array.from({ length: payments }, (_, index) => {
    const at = businessDayStart(days[index % days.length] ?? days[0]) + Math.floor(random.fraction() * dayMs)
    const agent = random.fraction() < 0.5 ? 3 : 4
    return {
      agent,
      rider: riders[agent - 3] ?? 0,
      at,
      cents: 1 + Math.floor(random.fraction() * 5_000),
      number: `p${seed}x${index}`,
    }
  })
  const paid = await owner
    .insertInto('payment')
    .values(
      rows.map(({ agent, rider, at, cents, number }) => ({
        agent_id: agent,
        rider_id: rider,
        purpose: 'recharge',
        became: 'recharge',
        channel: 'sandbox',
        number: Buffer.from(number).toString('hex').padEnd(32, '0'),
        cents,
        state: 'paid',
        trade_number: number,
        created_at: new Date(at),
        paid_at: new Date(at),
      })),
    )
    .returning(['id', 'agent_id', 'rider_id', 'cents', 'paid_at', 'number'])
    .execute()
  const post = async (entry: Parameters<typeof finance.ledger.post>[0]): Promise<void> => {
    await finance.ledger.post(entry)
  }
  for (const [index, row] of paid.entries()) {
    const occurredAt = row.paid_at?.getTime() ?? 0
    const balance = { kind: 'rider_balance', ownerId: row.rider_id } as const
    await post({
      agentId: row.agent_id,
      kind: 'recharge',
      reference: `payment:${row.id}`,
      occurredAt,
      lines: [
        { account: { kind: 'clearing_sandbox' }, amountCents: -row.cents },
        { account: balance, amountCents: row.cents },
      ],
    })
    if (index % 7 !== 0) continue
    const doneAt = new Date(Math.min(occurredAt + hourMs, businessDayStart('2026-11-13') - 1))
    await owner
      .insertInto('payment_refund')
      .values({
        agent_id: row.agent_id,
        payment_id: row.id,
        number: row.number.replace(/^./, 'f'),
        cents: row.cents,
        reason: '退',
        state: 'done',
        created_at: doneAt,
        done_at: doneAt,
      })
      .execute()
    await post({
      agentId: row.agent_id,
      kind: 'refund_paid',
      reference: `payment:${row.id}`,
      occurredAt: doneAt.getTime(),
      lines: [
        { account: { kind: 'clearing_sandbox' }, amountCents: row.cents },
        { account: balance, amountCents: -row.cents },
      ],
    })
  }
}

export async function allMovements(of: SandboxBillOptions, day: string): Promise<SandboxMovement[]> {
  const all: SandboxMovement[] = []
  for await (const some of of.movements(day)) all.push(...some)
  return all
}

export const optionsOf = (
  { db, folder }: BillWorld,
  seed: number,
  differencesPerMillion: number,
): SandboxBillOptions => ({
  folder,
  movements: (day) => sandboxMovements(db, day),
  differencesPerMillion,
  seed,
})

export async function compare(of: BillWorld, options: SandboxBillOptions, day: string) {
  const now = of.kit.clock.now()
  const channel = { bill: (asked: string) => sandboxBill(options, { day: asked, now }) }
  return fetchAndCompare({ kit: of.kit, ledger: of.finance.ledger }, channel, { channel: 'sandbox', day, at: now })
}
