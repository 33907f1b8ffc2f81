import { z } from 'zod'

/** Money that comes in and goes out through a payment channel. */

export const paymentChannels = ['wechat', 'alipay', 'sandbox'] as const
export type PaymentChannelName = (typeof paymentChannels)[number]
export const paymentChannelLabels: Readonly<Record<PaymentChannelName, string>> = {
  wechat: '微信支付',
  alipay: '支付宝',
  sandbox: '沙箱支付',
}

export const purposes = ['recharge', 'deposit', 'ride', 'card'] as const
export type Purpose = (typeof purposes)[number]
export const purposeLabels: Readonly<Record<Purpose, string>> = {
  recharge: '充值',
  deposit: '押金',
  ride: '骑行',
  card: '购卡',
}

/** How a rider wants to pay; by default the first channel that the platform has. */
export const payBySchema = {
  channel: z.enum(paymentChannels).optional(),
  /** The rider as the channel knows them, where it asks for that. */
  payer: z.string().trim().min(1).max(128).optional(),
}

/** What the rider's application hands to the channel's own code. Nothing has moved yet. */
export const askedPaymentSchema = z.object({
  number: z.string(),
  channel: z.enum(paymentChannels),
  cents: z.int(),
  parameters: z.record(z.string(), z.string()),
})
export type AskedPayment = z.infer<typeof askedPaymentSchema>
