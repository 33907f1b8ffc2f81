import type { ObjectionState } from '@saddle/contract/finance/objections.ts'
import type { Tone } from '#kit/ui/Mark.tsx'

export const objectionsPath = '/financial/objectionBill'
export const objectionPath = (id: number): string => `/financial/objectionBillInfo?id=${id}`
export const applyPath = (billId: number): string => `/financial/objectionApply?bill=${billId}`

export const splitApplyPath = (splitBillId: number): string => `/financial/objectionApply?split=${splitBillId}`

export const objectionTones: Readonly<Record<ObjectionState, Tone>> = {
  submitted: 'warn',
  under_review: 'info',
  escalated: 'bad',
  accepted: 'good',
  refused: 'off',
  withdrawn: 'off',
}
