import { expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { defineEndpoints, type InputOf, type OutputOf } from './endpoint.ts'
import { fields, list } from './list.ts'

const bills = list({
  row: z.object({ id: z.int(), state: z.enum(['open', 'paid']), amountCents: z.int() }),
  filter: z.strictObject({ state: z.enum(['open', 'paid']).optional() }),
  sorts: { issued: 'desc', amount: 'asc' },
  sums: ['amountCents'],
})
const row = { host: 'platform', permission: ['0703'], scope: 'agent', summary: 'bills' } as const
const endpoints = defineEndpoints({
  listBills: { ...row, ...bills.page, path: '/bills' },
  sumBills: { ...row, ...bills.sums, path: '/bills/sums' },
  exportBills: { ...row, ...bills.file, path: '/bills/export' },
})

it('fills in the usual order and page size', () => {
  expect(endpoints.listBills.input.parse({})).toEqual({ filter: {}, sort: 'issued', pageSize: 50 })
  expect(endpoints.exportBills.input.parse({ sort: 'amount' })).toEqual({ filter: {}, sort: 'amount' })
})

it('refuses an unknown sort, an unknown condition and too long a page', () => {
  for (const input of [{ sort: 'state' }, { filter: { nothing: 1 } }, { pageSize: 201 }, { direction: 'up' }]) {
    expect(endpoints.listBills.input.safeParse(input).success).toBe(false)
  }
})

it('keeps the types of filter, sorts, rows and sums', () => {
  expectTypeOf<InputOf<typeof endpoints.listBills>['sort']>().toEqualTypeOf<'issued' | 'amount'>()
  expectTypeOf<InputOf<typeof endpoints.listBills>['filter']>().toEqualTypeOf<{ state?: 'open' | 'paid' | undefined }>()
  expectTypeOf<OutputOf<typeof endpoints.listBills>['data']['list'][number]['amountCents']>().toEqualTypeOf<number>()
  expectTypeOf<OutputOf<typeof endpoints.sumBills>['data']['sums']>().toEqualTypeOf<{ amountCents: number } | null>()
  const data = { rows: 1, isCut: false, sums: { amountCents: 5 } }
  expect(endpoints.sumBills.output.parse({ suc: true, data })).toEqual({ suc: true, data })
})

it('takes fields of the row only', () => {
  type Bill = z.output<typeof bills.row>
  expect(fields<Bill>()({ id: '编号', amountCents: { title: '金额', as: 'cents' } })).toHaveProperty('id')
  // @ts-expect-error -- the row has no such value
  fields<Bill>()({ nothing: '无' })
})
