import type { Kysely } from 'kysely'
import type { DB } from '#kit/db/types.ts'

const ring = JSON.stringify([
  [120, 31],
  [121, 31],
  [121, 32],
  [120, 31],
])

/** A platform (2) with two franchisees (3 and 4) and three areas: 31 and 32 of 3, 41 of 4. */
export async function insertTestTenants(owner: Kysely<DB>): Promise<void> {
  await owner
    .insertInto('agent')
    .values([
      { id: 2, company: '平台公司', domain: 'console.example.cn', web_title: '骑行平台', brand_company: '平台' },
      { id: 3, parent_id: 2, company: '东湖出行' },
      { id: 4, parent_id: 2, company: '西山_出行100%' },
    ])
    .execute()
  const area = (id: number, agentId: number, name: string) => ({
    id,
    agent_id: agentId,
    name,
    centre_lat: 31.5,
    centre_lng: 120.5,
    ring,
  })
  await owner
    .insertInto('service_area')
    .values([area(31, 3, '东湖新城'), area(32, 3, '大学城'), area(41, 4, '西山景区')])
    .execute()
}
