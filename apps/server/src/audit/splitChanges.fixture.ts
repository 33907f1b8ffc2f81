import { sql } from 'kysely'
import { statementFile } from '#finance/splitBills/statementRules.ts'
import { numberIn, type ChangeWorld } from './changeWorld.fixture.ts'

/** Calls by POST that change nothing. */
export const readingsOfSplits = {
  listSplitTerms: 'asks, and changes nothing',
  listTermChanges: 'asks, and changes nothing',
  listSplitPlaces: 'asks, and changes nothing',
  previewSplitTerms: 'asks, and changes nothing',
  listSplitBills: 'asks, and changes nothing',
  sumSplitBills: 'asks, and changes nothing',
  splitTotals: 'asks, and changes nothing',
  listSplitGroups: 'asks, and changes nothing',
  listSplitLines: 'asks, and changes nothing',
  listSplitStatements: 'asks, and changes nothing',
} as const

const [firstDay, lastDay] = ['2026-09-01', '2026-09-15']

/** How income is divided: terms, reserve and corrections by the company above, and what leaves the platform. */
export async function splitsOfCompanies({ act, manager, of, owner, root }: ChangeWorld): Promise<void> {
  const { agentId, areaIds, marker } = of
  const terms = {
    feeBasisPoints: 60,
    feeBearer: 'company',
    parties: [{ name: 'p', share: { of: 'rest', basisPoints: 500 } }],
  }
  const made = await act(root, 'saveSplitTerms', {
    agentId,
    areaId: areaIds[0],
    firstDay: '2027-01-01',
    terms,
    reason: 'r',
  })
  if (numberIn(made, 'version') !== 1) throw new Error('the first version of an area is 1')
  await act(root, 'saveSplitReserve', { agentId, cents: 100, reason: 'r' })
  await act(root, 'saveStatementPeriod', { agentId, period: 'day', reason: 'r' })
  const billId = 900_000 + agentId
  await sql`
    insert into split_bill (id, agent_id, area_id, day, lines, paid_cents, fee_cents, platform_borne_cents,
      partner_borne_cents, owner_cents, parties, closed_at, hash)
    values (${billId}, ${agentId}, ${areaIds[0]}, ${lastDay}::date + 9, 1, 100, 0, 0, 0, 100, '[]', now(), sha256('bill'))`.execute(
    owner,
  )
  await act(root, 'correctSplitBill', { id: billId, cents: 100, reason: 'r' })
  await sql`
    insert into split_line (agent_id, entry_number, kind, area_id, day, at, paid_cents, fee_cents, platform_borne_cents,
      partner_borne_cents, party_cents, parties_cents, owner_cents)
    values (${agentId}, ${billId}, 'ride_charge', ${areaIds[0]}, ${lastDay}::date + 9, now(), 100, 0, 0, 0, '{}', 0, 100)`.execute(
    owner,
  )
  const lines = [{ entryNumber: billId, cents: 5 }]
  await act(manager, 'submitSplitObjection', { splitBillId: billId, reason: 'fee_wrong', text: 'r', lines })
  const content = { agentId, company: marker, firstDay, lastDay, bills: [], corrections: [], previousHash: null }
  await sql`
    insert into split_statement (id, agent_id, first_day, last_day, company, area_names, bills, lines, paid_cents,
      fee_cents, borne_cents, parties_cents, owner_cents, corrections_cents, sealed_at, hash)
    values (${billId}, ${agentId}, ${firstDay}, ${lastDay}, ${marker}, '{}', 0, 0, 0, 0, 0, 0, 0, 0, now(),
      decode(${statementFile(content).hash}, 'hex'))`.execute(owner)
  await act(manager, 'splitStatementFile', { id: billId })
  for (const name of [
    'exportSplitTerms',
    'exportTermChanges',
    'exportSplitBills',
    'exportSplitLines',
    'exportSplitStatements',
  ] as const) {
    await act(manager, name, {})
  }
}
