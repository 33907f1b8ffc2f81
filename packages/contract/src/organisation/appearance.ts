import { z } from 'zod'
import { answerOf, idSchema, plainTextSchema } from '#contract/answers.ts'
import { basePath, themeColours } from '#contract/constants.ts'
import { bodyLimits, defineEndpoints } from '#contract/endpoint.ts'
import { photoSchema } from '#contract/photos/photo.ts'
import { brandingSchema } from './agents.ts'

/** Of what a company shows instead of the product's own; a logo is fetched with each page, so it is small. */
export const brandLimits = { title: 40, company: 80, domain: 253, logoBytes: 100_000 } as const
/** Under this path of the server a logo lies, by its own id: a changed logo has another address. */
export const logoPath = '/brand/'

const hostLabel = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const domainPattern = new RegExp(`^${hostLabel}(?:\\.${hostLabel})*$`)
const domainSchema = plainTextSchema
  .trim()
  .toLowerCase()
  .max(brandLimits.domain)
  .regex(domainPattern, { error: '请填写域名，不带协议、端口与路径' })

/** Settings of the frame that a company sets for its people and a person for themselves; names of section 3. */
export const layoutSchema = z.object({
  primaryColor: z.enum(Object.values(themeColours)).optional(),
  navTheme: z.enum(['dark', 'light']).optional(),
  layout: z.enum(['sidemenu', 'topmenu']).optional(),
  contentWidth: z.enum(['Fixed', 'Fluid']).optional(),
  fixedHeader: z.boolean().optional(),
  fixSiderbar: z.boolean().optional(),
  autoHideHeader: z.boolean().optional(),
  colorWeak: z.boolean().optional(),
  multiTab: z.boolean().optional(),
  /** Height of rows in all lists. */
  density: z.enum(['compact', 'comfortable']).optional(),
  appearance: z.enum(['light', 'dark']).optional(),
})
export type Layout = z.infer<typeof layoutSchema>

const titleSchema = plainTextSchema.trim().max(brandLimits.title).nullable()
const path = `${basePath}/platform/agent`
const ofCompany = { host: 'platform', permission: ['110102'], scope: 'agent', idempotency: 'none' } as const
const ofSelf = { host: 'platform', permission: 'session', scope: 'self', idempotency: 'none' } as const

export const companyAppearanceSchema = z.object({
  branding: brandingSchema,
  domain: z.string().nullable(),
  /** True: who asks by the domain must show the key. The key itself is told once, when it is made. */
  hasApiKey: z.boolean(),
  /** The platform registers domains: an address belongs to whoever runs it, which a franchisee cannot prove here. */
  mayRegister: z.boolean(),
  layout: layoutSchema,
})
export type CompanyAppearance = z.infer<typeof companyAppearanceSchema>

export const appearanceEndpoints = defineEndpoints({
  companyAppearance: {
    ...ofCompany,
    method: 'GET',
    path: `${path}/company/appearance`,
    summary: '一家加盟商的品牌、域名与默认布局',
    input: z.object({ id: idSchema }),
    output: answerOf(companyAppearanceSchema),
  },
  saveCompanyAppearance: {
    ...ofCompany,
    method: 'PUT',
    path: `${path}/company/appearance`,
    bodyLimitBytes: bodyLimits.shape,
    summary: '设置一家加盟商的品牌与默认布局；域名仅平台可登记，且不能与其他加盟商相同',
    input: z.object({
      id: idSchema,
      webTitle: titleSchema,
      appTitle: titleSchema,
      company: plainTextSchema.trim().max(brandLimits.company).nullable(),
      /** Absent: the present one stays. Null: none. */
      logo: photoSchema
        .max(Math.ceil(brandLimits.logoBytes / 3) * 4)
        .nullable()
        .optional(),
      /** Absent: the present one stays. */
      domain: domainSchema.nullable().optional(),
      layout: layoutSchema,
    }),
    output: answerOf(companyAppearanceSchema),
  },
  setApiKey: {
    ...ofCompany,
    method: 'POST',
    path: `${path}/company/apiKey`,
    summary: '生成或取消按域名查询所需的密钥；密钥只显示这一次（仅平台）',
    input: z.object({ id: idSchema, isOn: z.boolean() }),
    output: answerOf(z.object({ apiKey: z.string().nullable() })),
  },
  ownAppearance: {
    ...ofSelf,
    method: 'GET',
    path: `${path}/appearance`,
    summary: '本人所见的品牌，以及公司与本人的布局设置',
    input: z.object({}),
    output: answerOf(
      z.object({
        /** Of the own company, or of the nearest one above that has any. */
        branding: brandingSchema,
        company: layoutSchema,
        own: layoutSchema,
      }),
    ),
  },
  saveOwnLayout: {
    ...ofSelf,
    method: 'PUT',
    path: `${path}/appearance`,
    summary: '保存本人的布局设置；未给出的项沿用公司的默认',
    input: layoutSchema,
    output: answerOf(layoutSchema),
  },
})
