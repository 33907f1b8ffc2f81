import { expect, it } from 'vitest'
import { hourMs } from '@saddle/contract/time.ts'
import { scopeOfAgent } from '#kit/db/scope.ts'
import { testDatabase } from '#test/database.ts'
import { testKit } from '#test/kit.ts'
import { seedTenants } from '#test/tenants.ts'
import { samples } from './codec/samples.fixture.ts'
import { createPhotos } from './public.ts'

const { db, owner } = await testDatabase()
const kit = testKit(db)
const [alpha, bravo] = await seedTenants(kit)
const photos = createPhotos(kit)

const scopeOf = (of: typeof alpha) => scopeOfAgent(of.agentId, [...of.areaIds])
const photo = { agentId: alpha.agentId, areaId: alpha.areaIds[0], purpose: 'return', file: samples.jpeg } as const
const read = async (ids: string[], of = alpha) => await photos.read(scopeOf(of), { purpose: 'return', ids })

it('keeps photos sealed and shows them to their own company, area and purpose alone', async () => {
  const [first, second] = await db.system(async (tx) => [
    await photos.keep(tx, photo),
    await photos.keep(tx, { ...photo, areaId: null, file: samples.png.toString('base64') }),
  ])
  if (first === undefined || second === undefined) throw new Error('nothing was kept')
  const { sealed } = await owner.selectFrom('photo').select('sealed').where('id', '=', first).executeTakeFirstOrThrow()
  expect(sealed.includes(samples.jpeg.subarray(0, 20))).toBe(false)

  const shown = await read([second, first])
  expect(shown.map(({ id, kind }) => [id, kind])).toEqual([
    [second, 'png'],
    [first, 'jpeg'],
  ])
  expect(shown[1]).toMatchObject({ width: 24, height: 16, base64: samples.jpeg.toString('base64') })
  expect(await read([first, second], bravo)).toEqual([])
  const otherArea = { ...scopeOf(alpha), areaIds: [alpha.areaIds[1]] }
  expect(await photos.read(otherArea, { purpose: 'return', ids: [first] })).toEqual([])
  expect(await photos.read(scopeOf(alpha), { purpose: 'certificate', ids: [first] })).toEqual([])
})

it('removes what nothing shows after a day', async () => {
  const own = { agentId: alpha.agentId, purpose: 'return' } as const
  const [kept, loose, taken] = await db.system(async (tx) => [
    await photos.keep(tx, photo),
    await photos.keep(tx, { ...photo, isUnattached: true }),
    await photos.keep(tx, { ...photo, isUnattached: true }),
  ])
  if (kept === undefined || loose === undefined || taken === undefined) throw new Error('nothing was kept')
  await db.withScope(scopeOf(alpha), (tx) => photos.link(tx, { ...own, ids: [taken] }))
  kit.clock.advance(25 * hourMs)
  expect(await photos.sweep()).toBe(1)
  expect((await read([kept, loose, taken])).map(({ id }) => id)).toEqual([kept, taken])

  await db.withScope(scopeOf(alpha), (tx) => photos.release(tx, { ...own, ids: [taken] }))
  expect(await photos.sweep()).toBe(0)
  kit.clock.advance(25 * hourMs)
  expect(await photos.sweep()).toBe(1)
})

it('links a photo once, and none of somebody else', async () => {
  const id = await db.system((tx) => photos.keep(tx, { ...photo, isUnattached: true }))
  const link = (of: typeof alpha, purpose: 'return' | 'task') =>
    db.withScope(scopeOf(of), (tx) => photos.link(tx, { agentId: of.agentId, purpose, ids: [id] }))
  const missing = { code: 'photo_missing' }
  await expect(link(bravo, 'return')).rejects.toMatchObject(missing)
  await expect(link(alpha, 'task')).rejects.toMatchObject(missing)
  await link(alpha, 'return')
  await expect(link(alpha, 'return')).rejects.toMatchObject(missing)
})
