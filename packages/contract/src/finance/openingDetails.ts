import { z } from 'zod'
import { plainTextSchema } from '#contract/answers.ts'
import { phonePattern } from '#contract/constants.ts'

/** What the bank wants to know of a company or person before it opens an account. */

export const bankAccountTypes = ['company', 'person'] as const
export type BankAccountType = (typeof bankAccountTypes)[number]
export const bankAccountTypeLabels: Readonly<Record<BankAccountType, string>> = { company: '企业', person: '个人' }

export const paperKinds = [
  'licence',
  'legal_front',
  'legal_back',
  'account_permit',
  'holder_front',
  'holder_back',
] as const
export type PaperKind = (typeof paperKinds)[number]
export const paperKindLabels: Readonly<Record<PaperKind, string>> = {
  licence: '营业执照',
  legal_front: '法人身份证人像面',
  legal_back: '法人身份证国徽面',
  account_permit: '开户许可证',
  holder_front: '身份证人像面',
  holder_back: '身份证国徽面',
}
/** Without these the bank takes no application. */
export const neededPapers: Readonly<Record<BankAccountType, readonly PaperKind[]>> = {
  company: ['licence', 'legal_front', 'legal_back'],
  person: ['holder_front', 'holder_back'],
}
export const papersOf: Readonly<Record<BankAccountType, readonly PaperKind[]>> = {
  company: [...neededPapers.company, 'account_permit'],
  person: neededPapers.person,
}

const identityNumber = z.string().regex(/^\d{17}[\dXx]$/, { error: '身份证号应为 18 位' })
export const shortText = (max: number) => plainTextSchema.trim().min(2).max(max)

export const openingDetailsSchema = z.discriminatedUnion('accountType', [
  z.strictObject({
    accountType: z.literal('company'),
    name: shortText(60),
    creditCode: z.string().regex(/^[0-9A-HJ-NP-RTUW-Y]{18}$/, { error: '统一社会信用代码应为 18 位数字或大写字母' }),
    legalPerson: shortText(40),
    legalPersonId: identityNumber,
    mobile: z.string().regex(phonePattern),
    email: z.email().max(120),
  }),
  z.strictObject({
    accountType: z.literal('person'),
    name: shortText(40),
    identityNumber,
    mobile: z.string().regex(phonePattern),
  }),
])
export type OpeningDetails = z.output<typeof openingDetailsSchema>
