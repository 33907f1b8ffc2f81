import { expect, it } from 'vitest'
import { createAudit } from '#audit/public.ts'
import { createPhotos } from '#photos/public.ts'
import { testDatabase } from '#test/database.ts'
import { testKit } from '#test/kit.ts'
import { createSeals } from '#rider/people/seals.ts'
import { createRiders } from '#rider/public.ts'
import { certNumberOf, drawOf } from './riderFacts.ts'
import { fillRiders } from './riders.ts'

const { db, owner } = await testDatabase()
const kit = testKit(db)

/** Two riders who are both to have a certificate, and whose drawn numbers are equal. */
function pairWithOneNumber(): readonly [number, number] {
  const seen = new Map<string, number>()
  for (let id = 1; id < 200_000; id++) {
    if (drawOf(id, 10, 7) === 0) continue
    const number = certNumberOf(id)
    const other = seen.get(number)
    if (other !== undefined) return [other, id]
    seen.set(number, id)
  }
  throw new Error('no two riders share a number')
}

it('gives a certificate to the first of two riders whose drawn numbers are equal, and fills in both', async () => {
  const [first, second] = pairWithOneNumber()
  await owner.insertInto('agent').values({ id: 3, parent_id: null, company: '城北出行' }).execute()
  const given = await db.system((tx) =>
    createRiders(kit).ensure(tx, [
      { agentId: 3, phone: '13700000001', name: '王小明' },
      { agentId: 3, phone: '13700000002', name: '李想' },
    ]),
  )
  const [one = 0, two = 0] = given
  await owner.updateTable('rider').set({ id: first }).where('id', '=', one).execute()
  await owner.updateTable('rider').set({ id: second }).where('id', '=', two).execute()
  const deps = {
    kit,
    audit: createAudit(kit),
    photos: createPhotos(kit),
    riders: createRiders(kit),
    seals: createSeals(kit.secrets),
  }
  expect(await fillRiders(deps)).toBe(2)
  const rows = await owner.selectFrom('rider').select(['id', 'cert_hash']).orderBy('id').execute()
  expect(rows.map(({ id, cert_hash: hash }) => [id, hash !== null])).toEqual([
    [first, true],
    [second, false],
  ])
})
