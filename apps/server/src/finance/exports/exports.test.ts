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
  const at = new Date(kit.clock.now())
  const file = (n: number, agentId: number, action: string) => ({
    export_id: `00000000-0000-4000-8000-00000000000${n}`,
    agent_id: agentId,
    operator_id: agentId * 10,
    operator_name: '测试员',
    call: 'exportObjections',
    action,
    file_name: 'objections.csv',
    format: 'csv',
    state: 'queued',
    agent_ids: [agentId],
    area_ids: [],
    created_at: at,
  })
  await owner
    .insertInto('export_job')
    .values([file(1, 3, 'objection.export'), file(2, 3, 'coupon.export'), file(3, 4, 'service.export')])
    .execute()
  const page = { filter: {}, sort: 'at' as const, pageSize: 50 }
  const seen = async (agentId: number) =>
    (await listFinanceExports(page, of(agentId))).data.list.map(({ exportId, isOwn }) => [exportId.at(-1), isOwn])
  expect(await seen(3)).toEqual([['1', true]])
  expect(await seen(4)).toEqual([['3', true]])
  expect(await seen(2)).toEqual([
    ['3', false],
    ['1', false],
  ])
  const filter = { actions: ['service.export' as const] }
  expect((await listFinanceExports({ ...page, filter }, of(3))).data.list).toEqual([])
})
