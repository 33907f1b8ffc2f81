import { expect, test } from 'vitest'
import { checkDraft, emptyDraft } from './application.ts'

const draft = {
  company: '山城骑行',
  contact: '李雷',
  phone: '13800138000',
  city: '重庆',
  plannedVehicles: '500',
  remark: '',
}

test('a filled form becomes an application', () => {
  expect(checkDraft(draft).application).toEqual({ ...draft, plannedVehicles: 500 })
})

test('every empty field but the remark says what it wants', () => {
  expect(checkDraft(emptyDraft).faults).toEqual({
    company: '请填写公司名称，2 至 80 个字',
    contact: '请填写联系人，2 至 40 个字',
    phone: '手机号码格式不正确',
    city: '请填写城市，2 至 40 个字',
    plannedVehicles: '请填写 1 至 1000000 的整数',
  })
})

test.each(['0', '-1', '1.5', '1e3', '1000001', 'x'])('%s vehicles are refused', (plannedVehicles) =>
  expect(checkDraft({ ...draft, plannedVehicles }).faults).toEqual({ plannedVehicles: '请填写 1 至 1000000 的整数' }),
)
