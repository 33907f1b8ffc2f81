import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { endpoints } from '@saddle/contract/endpoints.ts'
import type { Person } from '@saddle/contract/organisation/people.ts'
import { clearToasts, currentToasts } from '#kit/notify.ts'
import { queryClient } from '#kit/query.ts'
import type { FakePlatform } from '#test/fakePlatform.ts'
import { logIn, withPlatform } from '#test/session.ts'
import { ownUsers } from './people.ts'
import { PersonRemoval, PersonSwitch } from './personActions.tsx'

const person: Person = {
  operatorId: 9,
  agentId: 3,
  company: '江城出行',
  name: '周',
  phone: '139****0009',
  level: 2,
  state: 'enabled',
  role: null,
  allAreas: true,
  areas: [],
  lastLoginAt: null,
  createdAt: 0,
  supportAccount: null,
  hasTotp: false,
  isSelf: false,
  exceeds: false,
  version: 1,
}
let platform: FakePlatform
let refusal: string | null = null
const sent: unknown[] = []

beforeEach(async () => {
  platform = await withPlatform()
  logIn(platform)
  sent.length = 0
  refusal = null
  platform.on(endpoints.userUses, () => ({
    suc: true,
    data: { sessions: 3, devices: 0, screenings: 0, pendingCommands: 0, refusal },
  }))
  platform.on(endpoints.personInfo, () => ({ suc: true, data: { ...person, phone: '13900000009' } }))
  platform.on(endpoints.removeUser, (_, { path }) => {
    sent.push(path.split('/').at(-1))
    return { suc: true, data: {} }
  })
  platform.on(endpoints.setUserState, (input) => {
    sent.push(input)
    return { suc: true, data: person }
  })
})
afterEach(() => {
  cleanup()
  queryClient.clear()
  clearToasts()
})

const open = (dialog: ReactNode) => render(<QueryClientProvider client={queryClient}>{dialog}</QueryClientProvider>)
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
const removal = () => button('删除“周”')

test('shows the effect, does it, and offers to take it back', async () => {
  open(<PersonSwitch source={ownUsers} person={person} onClose={() => undefined} />)
  await screen.findByText('进行中的会话')
  fireEvent.click(button('停用“周”'))
  await waitFor(() => expect(sent).toEqual([{ operatorId: 9, state: 'disabled' }]))
  await waitFor(() => expect(currentToasts()[0]?.action?.label).toBe('撤销'))
  currentToasts()[0]?.action?.run()
  await waitFor(() => expect(sent.at(-1)).toEqual({ operatorId: 9, state: 'enabled' }))
})

test('wants the name typed where nothing brings it back, and then sends the whole number', async () => {
  open(<PersonRemoval source={ownUsers} person={person} onClose={() => undefined} />)
  const field = screen.getByLabelText('输入“周”以确认')
  fireEvent.change(field, { target: { value: '吴' } })
  await screen.findByText('进行中的会话')
  expect(removal().disabled).toBe(true)
  fireEvent.submit(field)
  expect(sent).toEqual([])
  fireEvent.change(field, { target: { value: '周 ' } })
  await waitFor(() => expect(removal().disabled).toBe(false))
  fireEvent.click(removal())
  await waitFor(() => expect(sent).toEqual(['13900000009']))
})

test('says why it cannot be done', async () => {
  refusal = '不能修改、停用或删除自己的账号与角色'
  open(<PersonRemoval source={ownUsers} person={person} onClose={() => undefined} />)
  await screen.findByText(refusal)
  fireEvent.change(screen.getByLabelText('输入“周”以确认'), { target: { value: '周' } })
  expect(removal().disabled).toBe(true)
})
