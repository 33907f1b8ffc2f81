import { expect, it } from 'vitest'
import { minuteMs } from '@saddle/contract/time.ts'
import { blankPng } from '#test/blankPng.ts'
import { desk, done, operationsDesk, other, refusal, outsider, worker } from '../desk.fixture.ts'

const { db, owner, kit, handlers, create } = await operationsDesk()
const place = { lat: 31.21, lng: 120.71 }
const photo = blankPng(40, 30).toString('base64')

async function begun(): Promise<number> {
  const [id = 0] = await create('move')
  await handlers.claimTask({ id, place }, worker)
  await handlers.startTask({ id, place }, worker)
  return id
}

const report = { place, photos: [photo], note: '找遍了' }
const vehicleState = async (id: number) => (await handlers.taskDetail({ id }, desk)).data.task.vehicle.state
const told = async (id: number) =>
  db.system((tx) => tx.selectFrom('notice').select(['event', 'values']).where('subject', '=', `task ${id}`).execute())

it('gives back what is not there, with the photo, and tells who hands out the work', async () => {
  const id = await begun()
  expect(await vehicleState(id)).toBe('removed')
  const { data } = await handlers.reportTask({ ...report, id, outcome: 'not_found' }, worker)
  expect(data).toMatchObject({ state: 'open', assigneeId: null, personName: null, outcome: 'not_found' })
  expect(await vehicleState(id), 'the vehicle is where it was').toBe('available')
  const { steps } = (await handlers.taskDetail({ id }, desk)).data
  const step = steps.at(-1)
  expect(step).toMatchObject({ step: 'not_found', personName: '陆小川', note: '找遍了', place })
  expect(step?.photoIds).toHaveLength(1)
  expect((await handlers.taskPhotos({ id }, desk)).data.photos.map((one) => one.id)).toEqual(step?.photoIds)
  expect(await told(id)).toEqual([
    { event: 'task_reported', values: expect.objectContaining({ outcome: 'not_found', note: '找遍了' }) as unknown },
  ])
  const filter = { outcomes: ['not_found' as const] }
  const waiting = await handlers.listTasks({ filter, sort: 'newest', pageSize: 20 }, desk)
  expect(waiting.data.list.map((task) => task.id)).toEqual([id])
  // Who claims it next still reads what was met; the end of the task answers it.
  expect((await handlers.claimTask({ id }, other)).data.outcome).toBe('not_found')
  expect((await handlers.completeTask({ ...done, id }, other)).data).toMatchObject({ outcome: null, outcomeAt: null })
})

it('leaves the task with who needs help, until the desk hands it to another', async () => {
  const id = await begun()
  const { data } = await handlers.reportTask({ ...report, photos: [], id, outcome: 'needs_help' }, worker)
  expect(data).toMatchObject({ state: 'on_site', personName: '陆小川', outcome: 'needs_help' })
  await handlers.assignTasks({ ids: [id], operatorId: other.caller.operatorId, note: '' }, desk)
  const { task } = (await handlers.taskDetail({ id }, desk)).data
  expect(task).toMatchObject({ state: 'claimed', personName: '何乐行', outcome: null })
})

it('goes to the colleague who is named, and to nobody from elsewhere', async () => {
  const id = await begun()
  const input = { ...report, photos: [], id, outcome: 'locked_in' as const }
  const toOutsider = { ...input, operatorId: outsider.caller.operatorId }
  expect(await refusal(handlers.reportTask(toOutsider, worker))).toBe('worker_unavailable')
  expect((await handlers.taskDetail({ id }, desk)).data.task).toMatchObject({ state: 'on_site', outcome: null })
  const { data } = await handlers.reportTask({ ...input, operatorId: other.caller.operatorId }, worker)
  expect(data).toMatchObject({ state: 'claimed', personName: '何乐行', outcome: 'locked_in' })
  const { steps } = (await handlers.taskDetail({ id }, desk)).data
  expect(steps.slice(-2).map(({ step }) => step)).toEqual(['locked_in', 'transferred'])
})

it('is for who has the task, is hidden from other companies, and believes no phone that is ahead', async () => {
  const id = await begun()
  const input = { ...report, photos: [], id, outcome: 'not_found' as const }
  expect(await refusal(handlers.reportTask(input, other))).toBe('task_not_yours')
  expect(await refusal(handlers.reportTask(input, outsider))).toBe('not_found')
  expect(await refusal(handlers.reportTask({ ...input, photos: ['AAAA'] }, worker))).not.toBe('nothing')
  const now = kit.clock.now()
  const { data } = await handlers.reportTask({ ...input, seenAt: now + 5 * minuteMs }, worker)
  expect(data.outcomeAt).toBe(now)
  expect(await refusal(handlers.reportTask(input, worker))).toBe('task_not_yours')
})

it('keeps what was looked at with the result', async () => {
  const id = await begun()
  const checks = [
    { check: 'within_marks' as const, isFine: true },
    { check: 'lock_closed' as const, isFine: false },
  ]
  const { data } = await handlers.completeTask({ ...done, checks, id }, worker)
  expect(data).toMatchObject({ checksFine: ['within_marks'], checksFailed: ['lock_closed'] })
  const [row] = await owner.selectFrom('task_result').select('checks_failed').where('task_id', '=', id).execute()
  expect(row).toEqual({ checks_failed: ['lock_closed'] })
})
