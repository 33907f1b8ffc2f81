import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endpoints } from '@saddle/contract/endpoints.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { NoticeTemplate } from '@saddle/contract/notices/templates.ts'
import { overridePermissions } from '#kit/session/permissions.ts'
import { pageTests } from '#test/page.tsx'
import TemplatesPage from './TemplatesPage.tsx'

const { on, sent, show } = pageTests()

const serious: NoticeTemplate = {
  event: 'alarm_serious',
  kind: 'alarms',
  channel: 'in_app',
  language: 'zh',
  title: '{{number}} 告警',
  body: '请尽快处理 {{number}}',
  source: 'own',
  version: 3,
  madeAt: 1_795_000_000_000,
  madeBy: '林一',
}

afterEach(() => vi.unstubAllGlobals())

beforeEach(() => {
  overridePermissions(['0506'])
  on(endpoints.noticeTemplates, () => ({
    suc: true,
    data: {
      agentId: 3,
      templates: [serious, { ...serious, channel: 'sms', title: '短信 {{number}}', source: 'default' }],
    },
  }))
  on(endpoints.previewNotice, () => ({
    suc: true,
    data: { title: 'SD000001 告警', body: '请尽快处理 SD000001', isReal: true, at: 1_795_000_000_000 },
  }))
  on(endpoints.saveNoticeTemplate, () => ({ suc: true, data: {} }))
  on(endpoints.resetNoticeTemplate, () => ({ suc: true, data: {} }))
  on(endpoints.testNotice, () => ({ suc: true, data: {} }))
})

test('shows what a text says on real data, and saves a new version of it', async () => {
  show(<TemplatesPage />)
  expect(await screen.findByText('SD000001 告警')).toBeTruthy()
  fireEvent.change(screen.getByLabelText('标题'), { target: { value: '{{number}} 需要处理' } })
  fireEvent.submit(screen.getByRole('button', { name: '保存新版本' }))
  await waitFor(() => expect(sent(endpoints.saveNoticeTemplate)).toHaveLength(1))
  expect(sent(endpoints.saveNoticeTemplate)[0]).toEqual({
    agentId: 3,
    event: 'alarm_serious',
    channel: 'in_app',
    language: 'zh',
    title: '{{number}} 需要处理',
    body: '请尽快处理 {{number}}',
    version: 3,
  })
})

test('sends a test to oneself, and goes back to the text above', async () => {
  show(<TemplatesPage />)
  await screen.findByText('SD000001 告警')
  fireEvent.click(screen.getByRole('button', { name: '测试发送给我' }))
  await waitFor(() => expect(sent(endpoints.testNotice)).toHaveLength(1))
  fireEvent.click(screen.getByRole('button', { name: '恢复默认' }))
  await waitFor(() => expect(sent(endpoints.resetNoticeTemplate)).toHaveLength(1))
  expect(sent(endpoints.resetNoticeTemplate)[0]).toMatchObject({ event: 'alarm_serious', version: 3 })
})

test('changes to the text of another channel', async () => {
  show(<TemplatesPage />)
  fireEvent.click(await screen.findByRole('button', { name: '短信' }))
  expect((await screen.findByLabelText<HTMLInputElement>('标题')).value).toBe('短信 {{number}}')
  expect(screen.getByText('短信只发标题')).toBeTruthy()
})

test('on a phone the events are one field to choose from, and the text stands below it', async () => {
  const nothing = (): void => undefined
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query === '(width < 640px)',
    addEventListener: nothing,
    removeEventListener: nothing,
  }))
  on(endpoints.noticeTemplates, () => ({
    suc: true,
    data: { agentId: 3, templates: [serious, { ...serious, event: 'alarm_ordinary', title: '{{number}} 一般告警' }] },
  }))
  show(<TemplatesPage />)
  const title = () => screen.findByLabelText<HTMLInputElement>('标题')
  expect((await title()).value).toBe('{{number}} 告警')
  expect(screen.queryByRole('navigation', { name: '事项' })).toBeNull()
  fireEvent.mouseDown(screen.getByRole('combobox', { name: '事项' }))
  fireEvent.click(await screen.findByTitle('车辆告警 · 一般告警'))
  await waitFor(async () => expect((await title()).value).toBe('{{number}} 一般告警'))
})

test('says why a text cannot be shown, and sends no test of it', async () => {
  on(endpoints.previewNotice, () => {
    throw new AppError('unknown_field')
  })
  show(<TemplatesPage />)
  expect(await screen.findByRole('alert')).toBeTruthy()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: '测试发送给我' }).disabled).toBe(true)
})
