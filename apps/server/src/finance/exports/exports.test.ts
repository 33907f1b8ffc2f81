import { expect, it } from 'vitest'
import { createAudit } from '#audit/public.ts'
import { testDatabase } from '#test/database.ts'
import { sessionCall, testKit } from '#test/kit.ts'
import { createExportHandlers } from './handlers.ts'

const { db, owner } = await testDatabase()
const kit = testKit(db)
const audit = createAudit(kit)
const { listFinanceExports } = createExportHandlers({ kit, audit })
const of = (agentId: number) =>
  sessionCall({
    operatorId: agentId * 10,
    agentId,
    grant: { agentIds: agentId === 2 ? [2, 3, 4] : [agentId], areaIds: [] },
  })

it('tells each company which files its people took out of the finance pages', async () => {
  await owner
    .insertInto('agent')
    .values([
      { id: 2, company: '平台' },
      { id: 3, parent_id: 2, company: '东湖' },
      { id: 4, parent_id: 2, company: '西山' },
    ])
    .execute()
  const file = { exportId: 'a1', action: 'objection.export', detail: {}, isFirst: true }
  await audit.noteExport(of(3), file)
  await audit.noteExport(of(3), { ...file, exportId: 'a2', action: 'coupon.export' })
  await audit.noteExport(of(4), { ...file, exportId: 'a3', action: 'service.export' })
  const page = { filter: {}, sort: 'at' as const, pageSize: 50 }
  const seen = async (agentId: number) =>
    (await listFinanceExports(page, of(agentId))).data.list.map(({ exportId }) => exportId).toSorted()
  expect(await seen(3)).toEqual(['a1'])
  expect(await seen(4)).toEqual(['a3'])
  expect(await seen(2)).toEqual(['a1', 'a3'])
  const filter = { actions: ['service.export' as const] }
  expect((await listFinanceExports({ ...page, filter }, of(3))).data.list).toEqual([])
})
