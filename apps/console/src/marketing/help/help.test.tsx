import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MemoryRouter } from 'react-router'
import { helpEndpoints } from '@saddle/contract/marketing/help.ts'
import { agentEndpoints } from '@saddle/contract/organisation/agents.ts'
import { areaEndpoints } from '@saddle/contract/organisation/areas.ts'
import { clearToasts } from '#kit/notify.ts'
import { queryClient } from '#kit/query.ts'
import { logIn, withPlatform } from '#test/session.ts'
import { differentLines } from './differences.ts'
import { withMark } from './HelpEditor.tsx'
import { NewHelpForm } from './HelpForm.tsx'
import { HelpText } from './HelpText.tsx'
const sent: unknown[] = []

beforeEach(async () => {
  const platform = await withPlatform()
  logIn(platform)
  sent.length = 0
  const centre = { lat: 31, lng: 120 }
  platform.on(areaEndpoints.listServiceAreas, () => ({
    suc: true,
    data: { list: [{ id: 31, name: '老城', agentId: 3, centre }], count: 1 },
  }))
  platform.on(agentEndpoints.listAgentAccounts, () => ({
    suc: true,
    data: { rows: [{ agentId: 3, company: '江城出行' }] },
  }))
  platform.on(helpEndpoints.saveHelp, (input) => {
    sent.push(input)
    return { suc: true, data: { id: 1, version: 1 } }
  })
})
afterEach(() => {
  cleanup()
  queryClient.clear()
  clearToasts()
})

const inApp = (children: React.ReactNode) =>
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>{children}</MemoryRouter>
    </QueryClientProvider>,
  )
const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })

it('the form shows an article in both languages, marks missing English and sends the content', async () => {
  inApp(<NewHelpForm of={null} onClose={() => {}} />)
  await screen.findByLabelText('中文标题')
  type('中文标题', '怎么还车')
  type('中文正文', '停进**停车点**\n\n[坏链接](http://a.cn)')
  expect(screen.getByText('缺少英文，英文用户会看到中文。')).toBeTruthy()
  expect(screen.getByText('停车点').tagName).toBe('B')
  expect(await screen.findByText('链接只能是 https:// 或 tel: 开头')).toBeTruthy()
  expect(screen.getByRole('button', { name: '保存为草稿' }).hasAttribute('disabled')).toBe(true)
  type('中文正文', '停进**停车点**')
  type('英文标题选填', 'How to return')
  expect(await screen.findByText('英文标题与正文须一起填写，或都留空')).toBeTruthy()
  type('英文正文选填', 'Use a **spot**')
  expect(screen.getByText('spot').tagName).toBe('B')
  fireEvent.click(screen.getByRole('button', { name: '保存为草稿' }))
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]).toEqual({
    agentId: 3,
    content: {
      category: 'start',
      areaIds: [],
      title: '怎么还车',
      body: '停进**停车点**',
      titleEn: 'How to return',
      bodyEn: 'Use a **spot**',
    },
  })
})

it('text is never HTML', () => {
  inApp(<HelpText text={'<img src=x onerror=alert(1)>\n\n[a](javascript:alert(1)) [b](https://a.cn)'} />)
  expect(screen.getByText('<img src=x onerror=alert(1)>')).toBeTruthy()
  expect(document.querySelectorAll('.help-text img, .help-text script')).toHaveLength(0)
  expect([...document.querySelectorAll('.help-text a')].map((link) => link.getAttribute('href'))).toEqual([
    'https://a.cn',
  ])
})

describe('a button of the editor', () => {
  it('wraps what is selected, or begins its line', () => {
    const text = '一行\n二行'
    expect(withMark({ text, from: 3, to: 5 }, { around: ['**', '**'] }, '重点')).toEqual({
      text: '一行\n**二行**',
      from: 5,
      to: 7,
    })
    expect(withMark({ text, from: 5, to: 5 }, { around: ['**', '**'] }, '重点').text).toBe('一行\n二行**重点**')
    expect(withMark({ text, from: 4, to: 4 }, { start: '- ' }, '').text).toBe('一行\n- 二行')
  })
})

it('lines of two versions are held against each other', () => {
  expect(differentLines('a\nb\nc', 'a\nc\nd')).toEqual([
    { kind: 'same', text: 'a' },
    { kind: 'gone', text: 'b' },
    { kind: 'same', text: 'c' },
    { kind: 'new', text: 'd' },
  ])
})
