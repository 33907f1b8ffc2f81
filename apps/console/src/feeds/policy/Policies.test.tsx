import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import App from 'antd/es/app'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { endpoints } from '@saddle/contract/endpoints.ts'
import type { Jurisdiction } from '@saddle/contract/feeds/mds.ts'
import type { MdsPolicy, MdsRule } from '@saddle/contract/feeds/policy.ts'
import { clearToasts } from '#kit/notify.ts'
import { queryClient } from '#kit/query.ts'
import type { FakePlatform } from '#test/fakePlatform.ts'
import { logIn, withPlatform } from '#test/session.ts'
import { Policies } from './Policies.tsx'

const at = 1_800_000_000_000
const ring = [
  { lat: 31, lng: 120 },
  { lat: 31, lng: 120.1 },
  { lat: 31.1, lng: 120.1 },
]
const rule: MdsRule = {
  id: 1,
  ruleId: '00000000-0000-4000-8000-000000000011',
  name: '站前广场禁止停放',
  becomes: 'no_stop',
  reason: null,
  maximum: null,
  boundary: [{ ring: ring.map(({ lat, lng }) => [lng, lat]), holes: [] }] as MdsRule['boundary'],
  areas: [{ id: 31, name: '老城服务区' }],
  takenAt: null,
  takenBy: null,
  fences: 0,
  counted: null,
  countedAt: null,
  overSince: null,
  version: 4,
}
const cap: MdsRule = { ...rule, id: 2, name: '老城区最多停放', becomes: 'cap', maximum: 25 }
const none: MdsRule = { ...rule, becomes: 'nothing', areas: [] }
const policy: MdsPolicy = {
  id: 9,
  policyId: '00000000-0000-4000-8000-000000000001',
  name: '老城区停放规定',
  description: '',
  publishedAt: at,
  startsAt: at,
  endsAt: null,
  replaces: [],
  sourceUrl: null,
  createdAt: at,
  createdBy: '周可',
  endedAt: null,
  endReason: null,
  rules: [
    rule,
    cap,
    { ...none, id: 3, name: '限速', reason: 'speed' },
    { ...none, id: 4, name: '骑行禁区', reason: 'riding' },
    { ...none, id: 5, name: '夜间', reason: 'hours' },
  ],
}
let platform: FakePlatform
let policies: MdsPolicy[] = []
const sent: unknown[] = []

beforeEach(async () => {
  platform = await withPlatform()
  logIn(platform)
  sent.length = 0
  policies = [policy]
  platform.on(endpoints.listMdsPolicies, () => ({ suc: true, data: { list: policies } }))
  platform.on(endpoints.takeMdsRule, (input) => {
    sent.push(input)
    return { suc: true, data: { fences: 0 } }
  })
  platform.on(endpoints.undoMdsRule, (input) => {
    sent.push(input)
    return { suc: true, data: { fences: 1 } }
  })
  platform.on(endpoints.mdsCapEffect, () => ({
    suc: true,
    data: {
      now: 70,
      peak: 80,
      peakAt: at,
      hoursOver: 99,
      hours: 168,
      days: [
        { day: '2027-01-14', peak: 19 },
        { day: '2027-01-15', peak: 80 },
      ],
      isCut: false,
    },
  }))
  platform.on(endpoints.bringMdsPolicies, () => ({
    suc: true,
    data: { added: 0, known: 0, faults: [{ document: 'policies', at: 'policies.0.policy_id', text: 'Invalid GUID' }] },
  }))
})
afterEach(() => {
  cleanup()
  queryClient.clear()
  clearToasts()
})

function show(): void {
  render(
    <QueryClientProvider client={queryClient}>
      <App>
        <MemoryRouter>
          <Policies jurisdiction={{ id: 5, name: '市交通局' } as Jurisdiction} />
        </MemoryRouter>
      </App>
    </QueryClientProvider>,
  )
}
const lineOf = async (name: string) => {
  const line = (await screen.findByText(name)).closest('li')
  if (line === null) throw new Error(`${name} is in no line`)
  return within(line)
}

test('says of each rule what it becomes, and offers nothing where it becomes nothing', async () => {
  show()
  expect((await lineOf(rule.name)).getByText('禁停区')).toBeTruthy()
  expect((await lineOf(cap.name)).getByText('最多停放 25 辆')).toBeTruthy()
  for (const [name, why] of [
    ['限速', '限制的是速度'],
    ['骑行禁区', '限制的是骑行中的车辆'],
    ['夜间', '只在部分时段生效'],
  ] as const) {
    const line = await lineOf(name)
    expect(line.getByText(`不采用：${why}`)).toBeTruthy()
    expect(line.queryByRole('button')).toBeNull()
  }
})

test('a cap shows last week before it is taken on, in the version that was seen', async () => {
  show()
  fireEvent.click((await lineOf(cap.name)).getByRole('button'))
  expect(await screen.findByText('近 168 小时中有 99 小时超出上限')).toBeTruthy()
  const over = within(screen.getByRole('region', { name: '上一周的影响' })).getAllByRole('listitem')
  expect(over.map(({ dataset }) => dataset['over'])).toEqual([undefined, 'true'])
  expect(sent).toEqual([])
  fireEvent.click(screen.getByRole('button', { name: '采用' }))
  await waitFor(() => expect(sent).toEqual([{ ruleId: 2, version: 4 }]))
})

test('a cap that was taken on says how many stand there, and can be undone; its policy stays', async () => {
  const taken = { takenAt: at, takenBy: '周可', counted: 31, countedAt: at, overSince: at }
  policies = [{ ...policy, rules: [{ ...cap, ...taken }] }]
  show()
  const line = await lineOf(cap.name)
  expect(line.getByText(/停放 31 辆，.* 起超出上限/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: /移除政策/ })).toBeNull()
  fireEvent.click(line.getByRole('button', { name: `撤销采用“${cap.name}”` }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByText('此后不再按这个上限清点车辆。')).toBeTruthy()
  fireEvent.click(dialog.getByRole('button', { name: '撤销采用' }))
  await waitFor(() => expect(sent).toEqual([{ ruleId: 2, version: 4 }]))
})

test('documents with faults are told with the place of each, and nothing says that they were taken', async () => {
  policies = []
  show()
  expect(await screen.findByText('还没有读入城市的政策')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: '读入“市交通局”的政策' }))
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.change(dialog.getByLabelText(/接口地址/), { target: { value: 'https://city.example/mds' } })
  fireEvent.click(dialog.getByRole('button', { name: '读入' }))
  const alert = within(await screen.findByRole('alert'))
  expect(alert.getByText('policies policies.0.policy_id: Invalid GUID')).toBeTruthy()
  expect(screen.queryByText(/项政策，/)).toBeNull()
})

test('a policy that has ended offers nothing more', async () => {
  policies = [{ ...policy, endedAt: at, endReason: 'replaced', rules: [rule] }]
  show()
  expect(await screen.findByText('已被替代')).toBeTruthy()
  expect((await lineOf(rule.name)).queryByRole('button')).toBeNull()
})
