import { z } from 'zod'

/**
 * The bank (or split-account provider) behind which companies have their accounts. Every request carries a number of ours,
 * and the same number again is the same request: an answer that was lost may be asked for, and a request repeated. A call
 * that throws has an unknown result.
 */

const numberSchema = z.string().regex(/^[a-f0-9]{32}$/)
const bankNumberSchema = z.string().regex(/^[A-Za-z0-9]{6,40}$/)
const reasonSchema = z.string().max(200).default('')

/**
 * What the bank knows of a payment to a card. `none`: it knows no such number. `reversed`: it was paid, and the bank of the
 * card sent it back.
 */
export const payoutReportSchema = z.object({
  number: numberSchema,
  state: z.enum(['none', 'processing', 'paid', 'failed', 'reversed']),
  /** When the bank's state last changed, by its own clock: of two reports the later one holds. 0 with `none`. */
  at: z.int().nonnegative(),
  bankNumber: z.string().max(64).nullable(),
  reason: reasonSchema,
})
export type PayoutReport = z.output<typeof payoutReportSchema>

/** Of an account, a sub-account or a card. */
export const thingReportSchema = z.object({
  number: numberSchema,
  state: z.enum(['none', 'processing', 'open', 'refused']),
  bankNumber: bankNumberSchema.nullable(),
  /** Of an account: which payments it may make; 1 is the lower level. */
  level: z.int().min(1).max(9).nullable().default(null),
  reason: reasonSchema,
})
export type ThingReport = z.output<typeof thingReportSchema>

export const authReportSchema = z.object({ state: z.enum(['none', 'waiting', 'granted', 'refused']) })
export const cardCheckSchema = z.object({ isRight: z.boolean(), token: bankNumberSchema.nullable() })
export const linkSchema = z.object({ redirectUrl: z.url() })
export const doneSchema = z.object({ done: z.literal(true) })

/** What each service of the bank takes and answers. */
export const bankServices = {
  'account.open': {
    input: z.object({
      number: numberSchema,
      accountType: z.enum(['company', 'person']),
      loginNumber: z.string().min(11).max(40),
      name: z.string().min(2).max(60),
      /** Of a company the unified social credit code, of a person the identity number. */
      certificate: z.string().min(15).max(20),
      legalPerson: z.string().max(40).default(''),
      legalPersonCertificate: z.string().max(20).default(''),
      mobile: z.string().max(20),
      email: z.string().max(120).default(''),
    }),
    output: thingReportSchema,
  },
  'account.query': { input: z.object({ number: numberSchema }), output: thingReportSchema },
  'paper.upload': {
    input: z.object({
      number: numberSchema,
      kind: z.string().min(1).max(30),
      sha256: z.string().length(64),
      base64: z.base64().max(600_000),
    }),
    output: doneSchema,
  },
  'card.bind': {
    input: z.object({
      number: numberSchema,
      account: bankNumberSchema,
      cardNumber: z.string().regex(/^\d{12,19}$/),
      mobile: z.string().max(20),
      holder: z.string().min(2).max(60),
      checkKind: z.enum(['code', 'amount']),
    }),
    output: doneSchema,
  },
  /** `value`: the code of the message, or the cents that arrived. */
  'card.check': {
    input: z.object({ number: numberSchema, value: z.string().regex(/^\d{1,6}$/) }),
    output: cardCheckSchema,
  },
  /** Sends the code or the small sum of a card once more. */
  'card.remind': {
    input: z.object({ number: numberSchema, by: z.enum(['sms', 'email']), email: z.string().max(120).default('') }),
    output: doneSchema,
  },
  'card.unbind': { input: z.object({ number: numberSchema, token: bankNumberSchema }), output: doneSchema },
  'subAccount.open': {
    input: z.object({ number: numberSchema, account: bankNumberSchema, name: z.string().min(1).max(40) }),
    output: thingReportSchema,
  },
  'subAccount.query': { input: z.object({ number: numberSchema }), output: thingReportSchema },
  /** A page of the bank where a person sets or changes the payment password. */
  'password.link': {
    input: z.object({
      account: bankNumberSchema,
      callType: z.enum(['PWDMODIFY', 'PWDFORGET', 'B_PWDMODIFY', 'B_PWDFORGET']),
      operator: z.int(),
    }),
    output: linkSchema,
  },
  /** A page of the bank where a person allows one payment by the payment password. */
  'auth.link': {
    input: z.object({
      number: numberSchema,
      account: bankNumberSchema,
      token: bankNumberSchema,
      cents: z.int().positive(),
    }),
    output: linkSchema,
  },
  'auth.query': { input: z.object({ number: numberSchema }), output: authReportSchema },
  payout: {
    input: z.object({
      number: numberSchema,
      account: bankNumberSchema,
      token: bankNumberSchema,
      cents: z.int().positive(),
    }),
    output: payoutReportSchema,
  },
  'payout.query': { input: z.object({ number: numberSchema }), output: payoutReportSchema },
} as const

export type BankService = keyof typeof bankServices
export type BankInput<S extends BankService> = z.input<(typeof bankServices)[S]['input']>
export type BankOutput<S extends BankService> = z.output<(typeof bankServices)[S]['output']>

/** What the bank tells by itself. */
export const noticeSchema = z.discriminatedUnion('about', [
  z.object({ about: z.literal('payout'), report: payoutReportSchema }),
  z.object({ about: z.literal('account'), report: thingReportSchema }),
  z.object({ about: z.literal('subAccount'), report: thingReportSchema }),
])
export type BankNotice = z.output<typeof noticeSchema>

export type Bank = {
  /** Throws BankRefusal when the bank answered that it does not do it; anything else that is thrown is unknown. */
  ask<S extends BankService>(service: S, input: BankInput<S>): Promise<BankOutput<S>>
  /** The content of a message from the bank. Throws EnvelopeError when it is not the bank's, or is too old. */
  read(body: Buffer): BankNotice
}

/** The bank's own words for why it does not do something. */
export class BankRefusal extends Error {
  override readonly name = 'BankRefusal'
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}
