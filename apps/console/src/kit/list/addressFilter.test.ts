import { expect, it } from 'vitest'
import { orderFilterSchema } from '@saddle/contract/riding/orders.ts'
import { changeFilter, readFilter, writeFilter } from './addressFilter.ts'

it('keeps a filter in the address, but for what is secret', () => {
  const text = writeFilter({ phone: '13800138000', states: ['paid'], areaIds: [3] }, ['phone'])
  expect(text).not.toContain('138')
  expect(readFilter(orderFilterSchema, text)).toEqual({ states: ['paid'], areaIds: [3] })
  expect(writeFilter({ phone: '13800138000' }, ['phone'])).toBeNull()
})

it('asks for nothing when the address makes no sense', () => {
  expect(readFilter(orderFilterSchema, '{"states":["nonsense"]}')).toEqual({})
  expect(readFilter(orderFilterSchema, 'x')).toEqual({})
  expect(readFilter(orderFilterSchema, null)).toEqual({})
})

it('forgets a condition that is taken back', () => {
  expect(changeFilter({ phone: '1', number: '2' }, { phone: undefined })).toEqual({ number: '2' })
})
