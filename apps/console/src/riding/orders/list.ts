import { orderEndpoints, orderFields, orderList } from '@saddle/contract/riding/orders.ts'
import { listOf } from '#kit/list/declare.ts'

/** The list of orders: of its own page, and of the trail on the page of one order. */
export const orders = listOf({
  list: orderList,
  call: orderEndpoints.searchOrders,
  sums: orderEndpoints.sumOrders,
  file: orderEndpoints.exportOrders,
  fields: orderFields,
})

export const pathOfOrder = ({ id }: { readonly id: number }): string => `/user-order-detail?order=${id}`
