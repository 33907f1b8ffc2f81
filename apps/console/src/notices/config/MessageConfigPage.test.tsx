import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { endpoints } from '@saddle/contract/endpoints.ts'
import type { NoticeRule } from '@saddle/contract/notices/config.ts'
import { overridePermissions } from '#kit/session/permissions.ts'
import { pageTests } from '#test/page.tsx'
import MessageConfigPage from './MessageConfigPage.tsx'

const { on, sent, show } = pageTests()

const rule: NoticeRule = {
  event: 'alarm_serious',
  kind: 'alarms',
  channels: ['in_app'],
  roleIds: null,
  isUrgent: true,
  repeatMinutes: 30,
  source: 'own',
  version: 2,
  changedAt: null,
  changedBy: null,
}

beforeEach(() => {
  on(endpoints.noticeRules, () => ({
    suc: true,
    data: {
      agentId: 3,
      rules: [rule, { ...rule, event: 'alarm_ordinary', channels: [], source: 'default' }],
      roles: [],
    },
  }))
  on(endpoints.saveNoticeRule, () => ({ suc: true, data: {} }))
  on(endpoints.resetNoticeRule, () => ({ suc: true, data: {} }))
})

test('whoever manages notices changes a rule, and takes an own rule back', async () => {
  overridePermissions(['0506'])
  show(<MessageConfigPage />)
  fireEvent.click(await screen.findByRole('button', { name: '通知规则' }))
  const alarms = await screen.findByRole('region', { name: '车辆告警' })
  expect(within(alarms).getByText('不通知')).toBeTruthy()
  fireEvent.click(within(alarms).getByRole('button', { name: '恢复默认' }))
  await waitFor(() => expect(sent(endpoints.resetNoticeRule)).toHaveLength(1))
  expect(sent(endpoints.resetNoticeRule)[0]).toMatchObject({ agentId: 3, event: 'alarm_serious', version: 2 })
  fireEvent.click(within(alarms).getAllByRole('button', { name: '修改' })[0]!)
  const form = await screen.findByRole('dialog')
  fireEvent.click(within(form).getByLabelText('短信'))
  fireEvent.submit(within(form).getByRole('button', { name: /保存/ }))
  await waitFor(() => expect(sent(endpoints.saveNoticeRule)).toHaveLength(1))
  expect(sent(endpoints.saveNoticeRule)[0]).toMatchObject({
    event: 'alarm_serious',
    channels: ['in_app', 'sms'],
    version: 2,
  })
})

test('others see their own notices alone', async () => {
  overridePermissions([])
  show(<MessageConfigPage />)
  expect(await screen.findByRole('heading', { name: '消息配置' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: '通知规则' })).toBeNull()
})
