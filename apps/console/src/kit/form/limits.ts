import { safeParse, toJSONSchema, type z } from 'zod'
import type { Endpoint, RequestOf } from '@saddle/contract/endpoint.ts'
import { errorText, isErrorCode } from '@saddle/contract/errors.ts'
import { t } from '#kit/i18n/index.ts'

/** The contract's limits for one value of a call's input. */
export interface Limits {
  readonly isRequired: boolean
  readonly maxLength?: number
  readonly minLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly maxItems?: number
  /** The allowed codes. */
  readonly codes?: readonly string[]
}

/** The subset of JSON schema that is read here. */
interface Node {
  readonly properties?: Readonly<Record<string, Node>>
  readonly required?: readonly string[]
  readonly items?: Node
  readonly anyOf?: readonly Node[]
  readonly oneOf?: readonly Node[]
  readonly maxLength?: number
  readonly minLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly maxItems?: number
  readonly enum?: readonly unknown[]
}

const schemas = new WeakMap<Endpoint, Node>()

function schemaOf(endpoint: Endpoint): Node {
  const known = schemas.get(endpoint)
  if (known !== undefined) return known
  const schema = toJSONSchema(endpoint.input, { io: 'input', unrepresentable: 'any' }) as Node
  schemas.set(endpoint, schema)
  return schema
}

/** The limits of the value at a dotted path of the call's input; numbers stand for the items of a list. */
export function limitsOf(endpoint: Endpoint, path: string): Limits {
  let nodes: readonly Node[] = [schemaOf(endpoint)]
  let isRequired = true
  for (const name of path.split('.')) {
    const found = nodes.flatMap(choicesOf).filter((node) => childOf(node, name) !== undefined)
    isRequired &&= found.some((node) => node.items !== undefined || node.required?.includes(name) === true)
    nodes = found.flatMap((node) => childOf(node, name) ?? [])
  }
  const node = Object.assign({}, ...nodes.flatMap(choicesOf)) as Node
  const { maxLength, minLength, maximum, maxItems, exclusiveMinimum } = node
  const minimum = node.minimum ?? (exclusiveMinimum === undefined ? undefined : exclusiveMinimum + 1)
  return {
    isRequired,
    ...(maxLength !== undefined && { maxLength }),
    ...(minLength !== undefined && { minLength }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(maxItems !== undefined && { maxItems }),
    ...(node.enum !== undefined && { codes: node.enum.map(String) }),
  }
}

const choicesOf = (node: Node): readonly Node[] => [node, ...(node.anyOf ?? []), ...(node.oneOf ?? [])]

const childOf = (node: Node, name: string): Node | undefined =>
  /^\d+$/.test(name) ? node.items : node.properties?.[name]

/** An error in an input, and its path. */
export interface Fault {
  readonly path: string
  readonly text: string
}

/** The errors that the contract finds in an input. */
export function faultsOf<E extends Endpoint>(
  endpoint: E,
  input: RequestOf<E>,
  labelOf: (path: string) => string,
): readonly Fault[] {
  const { error } = safeParse(endpoint.input, input)
  return (error?.issues ?? []).map((issue) => {
    const path = issue.path.map(String).join('.')
    return { path, text: textOf(issue, labelOf(path)) }
  })
}

/** The contract's own text, if any; otherwise a sentence for the kind of error. */
function textOf(issue: z.core.$ZodIssue, label: string): string {
  if (isErrorCode(issue.message)) return t(errorText(issue.message))
  if (/\p{Script=Han}/u.test(issue.message)) return t(issue.message)
  if (issue.code === 'too_big') {
    const limit = Number(issue.maximum)
    if (issue.origin === 'string') return t('{{label}}最多 {{limit}} 个字', { label, limit })
    if (issue.origin === 'array') return t('{{label}}最多 {{limit}} 项', { label, limit })
    return t('{{label}}不能大于 {{limit}}', { label, limit })
  }
  if (issue.code === 'too_small') {
    const limit = Number(issue.minimum)
    if (issue.origin === 'string' && limit > 1) return t('{{label}}至少 {{limit}} 个字', { label, limit })
    if (issue.origin === 'string' || issue.origin === 'array') return t('请填写{{label}}', { label })
    return t('{{label}}不能小于 {{limit}}', { label, limit: issue.inclusive === false ? limit + 1 : limit })
  }
  return t('{{label}}格式不正确', { label })
}
