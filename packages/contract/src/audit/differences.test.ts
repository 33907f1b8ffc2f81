import { expect, test } from 'vitest'
import { auditDifferences } from './differences.ts'

type Detail = Readonly<Record<string, unknown>> | null
const names = { 'role:5': '调度', 'role:6': '维修', 'area:31': '城北', 'vehicle:1': 'SD0001' }
const told = (before: Detail, after: Detail): string[] =>
  auditDifferences({ before, after, names, say: (words) => words, time: (ms) => `@${ms}` }).map(
    ({ title, before: was, after: is, isList }) => `${isList ? '≡' : ''}${title}: ${was ?? '-'} → ${is ?? '-'}`,
  )

test('only what is different is told, with names in the place of ids', () => {
  expect(told({ name: '甲', roleId: 5, level: 4 }, { name: '乙', roleId: 6, level: 4 })).toEqual([
    '名称: 甲 → 乙',
    '角色: 调度 → 维修',
  ])
})

test('of a list only what left it and what came', () => {
  expect(told({ codes: ['0301', '0302'] }, { codes: ['0302', '1404'] })).toEqual(['≡权限: 运营地图 → 操作员日志'])
  expect(told({ areas: [31] }, { areas: [31, 32] })).toEqual(['≡服务区: - → #32'])
  expect(told({ areas: 'all' }, { areas: [31] })).toEqual(['服务区: 全部服务区 → 城北'])
})

test('an act without a before says what it has set', () => {
  expect(told(null, { state: 'disabled', shared: true, note: '', vehicleIds: [1, 2] })).toEqual([
    '状态: - → 停用',
    '共享: - → 是',
    '车辆: - → SD0001、#2',
  ])
})

test('what was removed is told as it was', () => {
  expect(told({ name: '甲', note: null }, null)).toEqual(['名称: 甲 → -'])
  expect(told({ note: '甲' }, { note: '' })).toEqual(['备注: 甲 → 空'])
})

test('instants, codes and things inside things are words too', () => {
  expect(told(null, { validFrom: 5, kind: 'sms', filter: { from: 7, states: ['missing'] } })).toEqual([
    '生效时间: - → @5',
    '方式: - → 短信登录',
    '筛选条件: - → 开始时间 @7 状态 失联',
  ])
  expect(told(null, { filter: {}, tickets: [{ id: 3, vehicleId: 1 }] })).toEqual([
    '筛选条件: - → 空',
    '工单: - → 编号 3 车辆 SD0001',
  ])
})

test('money is told in yuan, in lists and conditions too', () => {
  expect(told({ priceCents: 1_990 }, { priceCents: 5 })).toEqual(['价格（元）: 19.90 → 0.05'])
  expect(told(null, { cents: 1_000_000, account: 'balance', direction: 'credit' })).toEqual([
    '金额（元）: - → 10000.00',
    '账户: - → 余额',
    '方向: - → 增加',
  ])
  expect(told(null, { filter: { amountFromCents: 300 }, parts: [{ unitCents: 1_250, pieces: 2 }] })).toEqual([
    '筛选条件: - → 金额不低于（元） 3.00',
    '明细: - → 单价（元） 12.50 数量（件） 2',
  ])
})

test('what nobody has words for stays as it is', () => {
  expect(told({ constructor: 1 }, { constructor: 2, other: 'x' })).toEqual(['constructor: 1 → 2', 'other: - → x'])
  expect(told(null, null)).toEqual([])
})

test('a count has separators, a number that names a thing has none', () => {
  expect(told(null, { entries: 118_929, paymentId: 118_929, stage: 'tested' })).toEqual([
    '记账笔数: - → 118,929',
    '付款编号: - → 118929',
    '生产状态: - → 检测合格',
  ])
})
