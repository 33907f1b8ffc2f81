import { applicationSchema, type Application } from '@saddle/contract/organisation/applications.ts'
import { errorText, isErrorCode } from '@saddle/contract/errors.ts'

/** The form as typed: everything is text until it is sent. */
export interface Draft {
  readonly company: string
  readonly contact: string
  readonly phone: string
  readonly city: string
  readonly plannedVehicles: string
  readonly remark: string
}
export type DraftField = keyof Draft
export type DraftFaults = Readonly<Partial<Record<DraftField, string>>>

export const emptyDraft: Draft = { company: '', contact: '', phone: '', city: '', plannedVehicles: '', remark: '' }

/** What is said of a field when its schema gives no text of its own. */
const faultTexts: Readonly<Record<DraftField, string>> = {
  company: '请填写公司名称，2 至 80 个字',
  contact: '请填写联系人，2 至 40 个字',
  phone: '手机号码格式不正确',
  city: '请填写城市，2 至 40 个字',
  plannedVehicles: '请填写 1 至 1000000 的整数',
  remark: '备注最多 500 个字',
}

export type Checked =
  | { readonly application: Application; readonly faults: null }
  | { readonly application: null; readonly faults: DraftFaults }

/** The draft as the server takes it, or what is wrong with which field, in Chinese. */
export function checkDraft(draft: Draft): Checked {
  const vehicles = draft.plannedVehicles.trim()
  const application = { ...draft, plannedVehicles: /^\d{1,9}$/.test(vehicles) ? Number(vehicles) : Number.NaN }
  const checked = applicationSchema.safeParse(application)
  if (checked.success) return { application: checked.data, faults: null }
  const faults: Partial<Record<DraftField, string>> = {}
  for (const { path, message } of checked.error.issues) {
    const field = path[0]
    if (!isField(field)) continue
    faults[field] ??= isErrorCode(message) ? errorText(message) : faultTexts[field]
  }
  return { application: null, faults }
}

function isField(name: unknown): name is DraftField {
  return typeof name === 'string' && Object.hasOwn(emptyDraft, name)
}
