import { deviceProtocolLabels } from '#contract/fleet/protocols.ts'
import { alarmKindLabels, vehicleStateLabels } from '#contract/fleet/vehicles.ts'
import { builtInProfileLabels, jt808ProofLabels, omniDialectLabels } from '#contract/fleet/deviceProfiles.ts'
import { heldReasonLabels } from '#contract/fleet/unknownDevices.ts'
import { commandStateLabels } from '#contract/fleet/commands.ts'
import { errorCatalogue } from '#contract/errors.ts'
import { chargeAccountLabels, chargeDirectionLabels } from '#contract/finance/wallet.ts'
import { yuanText } from '#contract/money.ts'
import { operatorLevelLabels } from '#contract/organisation/people.ts'
import { permissionTree } from '#contract/permissions.ts'
import { unitStageLabels } from '#contract/production/units.ts'
import type { AuditNames } from './records.ts'
import { auditFieldTitle, auditReferences } from './fields.ts'

/** One field that an act has changed or set, in words. Where a list only grew or shrank, only that is said. */
export interface AuditDifference {
  readonly field: string
  readonly title: string
  /** Null: there was nothing, or nothing is said about it. */
  readonly before: string | null
  readonly after: string | null
  /** A list: `before` is what left it, `after` what came. */
  readonly isList: boolean
}

type Detail = Readonly<Record<string, unknown>> | null
/** The fixed words in the reader's language; names and numbers stay as they are. */
type Say = (words: string) => string

interface Question {
  readonly before: Detail
  readonly after: Detail
  readonly names: AuditNames
  readonly say: Say
  /** An instant as text: a field that ends in `At` holds one. */
  readonly time: (ms: number) => string
}

/** What an act has changed, field by field, fit to be read; fields that stayed the same are left out. */
export function auditDifferences(question: Question): AuditDifference[] {
  const before = question.before ?? {}
  const after = question.after ?? {}
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return fields
    .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
    .filter((field) => !isNothing(before[field]) || !isNothing(after[field]))
    .map((field) => differenceOf({ field, was: before[field], is: after[field], question }))
}

/** An act that sets a field to nothing where there was nothing has changed nothing. */
function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

function differenceOf(options: { field: string; was: unknown; is: unknown; question: Question }): AuditDifference {
  const { field, question } = options
  const isList = Array.isArray(options.was) && Array.isArray(options.is)
  const [was, is] = isList ? changedParts(options.was as unknown[], options.is as unknown[]) : [options.was, options.is]
  const words = (value: unknown): string | null => (value === undefined ? null : wordsOf({ field, value, question }))
  return { field, title: question.say(auditFieldTitle(field)), before: words(was), after: words(is), isList }
}

/** Of two lists only what left and what came. */
function changedParts(was: readonly unknown[], is: readonly unknown[]): [unknown[] | undefined, unknown[] | undefined] {
  const key = (value: unknown): string => JSON.stringify(value)
  const [had, has] = [new Set(was.map(key)), new Set(is.map(key))]
  const gone = was.filter((value) => !has.has(key(value)))
  const come = is.filter((value) => !had.has(key(value)))
  return [gone.length === 0 ? undefined : gone, come.length === 0 ? undefined : come]
}

const permissionTitles: ReadonlyMap<string, string> = new Map(permissionTree.map((row) => [row.code, row.title]))

function wordsOf(options: { field: string; value: unknown; question: Question }): string {
  const { field, value, question } = options
  const { say, names, time } = question
  if (value === null || value === '') return say('空')
  if (typeof value === 'boolean') return say(value ? '是' : '否')
  if (Array.isArray(value)) {
    return value.length === 0 ? say('空') : value.map((item) => wordsOf({ field, value: item, question })).join('、')
  }
  if (typeof value === 'object') return objectWords(value, question)
  if (typeof value !== 'number' && typeof value !== 'string') return JSON.stringify(value)
  const word = auditValueTitles[`${field}.${value}`]
  if (word !== undefined) return say(word)
  if (typeof value === 'number' && instants.test(field)) return time(value)
  if (typeof value === 'number' && sums.test(field)) return yuanText(value)
  const kind = Object.hasOwn(auditReferences, field) ? auditReferences[field] : undefined
  if (kind !== undefined) return names[`${kind}:${value}`] ?? `#${value}`
  if (typeof value === 'number') return numbered.test(field) ? String(value) : grouped.format(value)
  return field === 'codes' ? say(permissionTitles.get(value) ?? value) : value
}

const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 })
/** Fields whose number names a thing or a version and counts nothing. */
const numbered = /^(?:id|version|number|code)$|Ids?$|Number$/

/** Fields that hold an instant. */
const instants = /^(?:from|to|validFrom|financeTotpFrom|\w+At)$/
/** Fields that hold cents; people read yuan. */
const sums = /^cents$|Cents$/

function objectWords(value: object, question: Question): string {
  const parts = Object.entries(value).filter(([, part]) => part !== undefined)
  if (parts.length === 0) return question.say('空')
  return parts
    .map(([field, part]) => `${question.say(auditFieldTitle(field))} ${wordsOf({ field, value: part, question })}`)
    .join(' ')
}

function labelsOf(field: string, labels: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).map(([code, title]) => [`${field}.${code}`, title]))
}

const refusalTexts = Object.fromEntries(Object.entries(errorCatalogue).map(([code, { promot }]) => [code, promot]))

/** `断电` alone is the command that cuts the power. */
const alarmTitles = { ...alarmKindLabels, power_cut: '断电告警' }

/** Codes that a field holds, in words. */
const auditValueTitles: Readonly<Record<string, string>> = {
  'state.enabled': '启用',
  'state.disabled': '停用',
  'kind.sms': '短信登录',
  'kind.passkey': '通行密钥登录',
  'kind.phone': '手机号登录',
  'kind.quick': '快捷登录',
  'during.totp.enable': '启用动态口令',
  'during.totp.disable': '停用动态口令',
  'during.totp.pass': '动态口令验证通过',
  'with.app': '验证器',
  'with.recovery': '恢复码',
  'areas.all': '全部服务区',
  'policy.open': '任何设备均可登录',
  'policy.approval': '新设备须经授权',
  'devicePolicy.open': '任何设备均可登录',
  'devicePolicy.approval': '新设备须经授权',
  ...labelsOf('refusal', refusalTexts),
  ...labelsOf('level', operatorLevelLabels),
  'category.operator': '操作员日志',
  'category.vehicle': '车辆日志',
  'category.device': '设备日志',
  ...labelsOf('kind', alarmTitles),
  ...labelsOf('alarms', alarmTitles),
  ...labelsOf('account', chargeAccountLabels),
  ...labelsOf('direction', chargeDirectionLabels),
  ...labelsOf('states', vehicleStateLabels),
  ...labelsOf('stage', unitStageLabels),
  ...labelsOf('state', commandStateLabels),
  ...labelsOf('heldFor', heldReasonLabels),
  ...labelsOf('lockProfile', { ...builtInProfileLabels, custom: '自定义' }),
  ...labelsOf('dialect', omniDialectLabels),
  ...labelsOf('lockProof', jt808ProofLabels),
  ...labelsOf('protocol', deviceProtocolLabels),
}
