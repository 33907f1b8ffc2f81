import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { ridingActivityEndpoints } from '@saddle/contract/marketing/ridingActivities.ts'
import RidingActivitiesPage from '../ridingActivities/RidingActivitiesPage.tsx'
import { renderAt, sent, tried, type, withForms } from '../forms.fixture.tsx'
import { changesOf } from './Versions.tsx'

withForms((platform) => {
  platform.on(ridingActivityEndpoints.previewRidingActivity, (input) => {
    tried.push(input)
    const byArea = [{ areaId: 31, area: '老城', reached: 12, costCents: 1_200 }]
    const reached = { considered: 50, isCut: false, reached: 12, riders: 7, costCents: 1_200, dryAt: null, byArea }
    return { suc: true, data: { weeks: 4, ...reached } }
  })
  platform.on(ridingActivityEndpoints.createRidingActivity, (input) => {
    sent.push(input)
    return { suc: true, data: { id: 1, version: 1 } }
  })
})

test('the form shows the activity on a phone, tries it on past weeks and sends its terms and limits', async () => {
  renderAt('/marketing/activity-config?form=new', <RidingActivitiesPage />)
  await screen.findByLabelText('活动名称')
  expect(screen.getByText('填写后在此预览')).toBeTruthy()
  expect(screen.queryByLabelText(/减免金额/), 'of another kind of discount').toBeNull()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: '试算' }).disabled).toBe(true)
  type('活动名称', '雨天立减')
  type('减免比例', '30')
  type('最多减免选填', '2')
  fireEvent.click(screen.getByLabelText('雨'))
  type('预算金额选填', '100')
  type('每人每天次数选填', '1')
  expect(await screen.findByText('骑行费减 30%，最多 2.00 元')).toBeTruthy()
  expect(screen.getByText('天气：雨')).toBeTruthy()
  expect(screen.getByText('每天限 1 次')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: '试算' }))
  expect(await screen.findByText('12.00 元')).toBeTruthy()
  expect(tried).toMatchObject([{ agentId: 3, weeks: 4, terms: { effect: { off: 'percent', percent: 30 } } }])
  fireEvent.click(screen.getByRole('button', { name: '保存为草稿' }))
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]).toMatchObject({
    agentId: 3,
    common: {
      name: '雨天立减',
      endsAt: null,
      budgetCents: 10_000,
      riderUses: null,
      riderDayUses: 1,
      holdoutPercent: 0,
    },
    terms: {
      effect: { off: 'percent', percent: 30, maxCents: 200 },
      conditions: { weathers: ['rain'], hours: null, weekdays: [] },
    },
  })
})

test('a version shows what it says otherwise than the one before', () => {
  const before = [
    ['预算', '100 元'],
    ['承担方', '加盟商'],
  ] as const
  const now = [
    ['预算', '200 元'],
    ['承担方', '加盟商'],
    ['同享', '是'],
  ] as const
  expect(changesOf(now, before)).toEqual([
    { label: '预算', from: '100 元', to: '200 元' },
    { label: '同享', from: null, to: '是' },
  ])
  expect(changesOf(now, null)).toHaveLength(3)
})
