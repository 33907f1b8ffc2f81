import { z } from 'zod'
import { financeAnswerOf, none } from '#contract/answers.ts'
import { defineEndpoints } from '#contract/endpoint.ts'

/** Read after login; drives the financial-status rule of section 4. */
export const financialAccountSchema = z.object({
  id: z.string(),
  accountLevel: z.int().nullable(),
  authStatus: z.int().nullable(),
  customerName: z.string().nullable(),
  name: z.string().nullable(),
  status: z.int().nullable(),
  /** `company` or `person`; selects the B variant of the payment-password calls. */
  accountType: z.enum(['company', 'person']).nullable(),
})
export type FinancialAccount = z.infer<typeof financialAccountSchema>

export const paymentPasswordCallTypes = ['PWDMODIFY', 'PWDFORGET', 'B_PWDMODIFY', 'B_PWDFORGET'] as const
export type PaymentPasswordCallType = (typeof paymentPasswordCallTypes)[number]

export const financialAccountEndpoints = defineEndpoints({
  accountInfo: {
    method: 'POST',
    path: '/Business/customer/getAccountInfo',
    host: 'finance',
    permission: 'session',
    scope: 'self',
    idempotency: 'none',
    summary: '登录人所属加盟商的开户信息；未开户时 status 为空',
    input: none,
    output: financeAnswerOf(financialAccountSchema),
  },
  paymentPasswordLink: {
    method: 'POST',
    path: '/Business/customer/modifyPwd',
    host: 'finance',
    // Who has nothing to do with the company's money has nothing to do with its password either.
    permission: ['financial'],
    scope: 'self',
    idempotency: 'none',
    summary: '支付密码修改或找回的跳转地址，失败时带 msg',
    input: z.object({ callType: z.enum(paymentPasswordCallTypes) }),
    output: z.union([
      financeAnswerOf(z.object({ redirectUrl: z.url() })),
      z.object({ success: z.literal(false), msg: z.string() }),
    ]),
  },
})
