import { useState } from 'react'
import type { Endpoint, RequestOf } from '@saddle/contract/endpoint.ts'
import type { ApiError } from '#kit/api/client.ts'
import { wordsOf } from '#kit/api/client.ts'
import { useDraft } from './draft.ts'
import type { Adjustment, Adjustments, Field, Fields, Inputs, Values } from './field.ts'
import { faultsOf, limitsOf, type Fault, type Limits } from './limits.ts'

export interface FormOptions<E extends Endpoint, F extends Fields> {
  readonly call: E
  /** The subject of the form: a draft is only offered for the same subject. */
  readonly about: string | number
  readonly fields: F
  /** Builds the call's input from the field values. A literal code needs `as const`. */
  readonly input: (values: Inputs<F>) => RequestOf<E>
  /** Dependencies between fields. */
  readonly adjust?: (values: Values<F>) => Adjustments<F>
  /** Why the form cannot be sent whatever is typed; null: it can be sent. */
  readonly blocked?: string | null
}

/** The current state of a field in the form. */
export interface ShownField {
  readonly name: string
  readonly field: Field<unknown, unknown>
  readonly label: string
  readonly hint: string | undefined
  readonly value: unknown
  readonly limits: Limits
  /** Shown after the person has visited the field or has tried to submit. */
  readonly fault: string | null
  readonly faultAt: (path: string) => string | null
  readonly change: (value: unknown) => void
  readonly leave: () => void
}

export interface FormState<E extends Endpoint, F extends Fields> {
  readonly values: Values<F>
  readonly shown: readonly ShownField[]
  /** The input to send; null while something is missing or wrong. */
  readonly input: RequestOf<E> | null
  /** The values of the fields that can be read, for the button's label. */
  readonly known: Partial<Inputs<F>>
  /** Why the form cannot be sent now, in a sentence. */
  readonly reason: string | null
  readonly isDirty: boolean
  readonly draft: { readonly isOffered: boolean; readonly takeUp: () => void; readonly discard: () => void }
  /** Shows every error. */
  readonly tried: () => void
}

const isWithin = (path: string, of: string): boolean => path === of || path.startsWith(`${of}.`)
const atOf = (name: string, { at = name }: Field<unknown, unknown>): string => at

/** The field that an error belongs to: the one with the closest path. */
function ownerOf(path: string, visible: readonly string[], fields: Fields): string | undefined {
  const depthOf = (name: string): number => {
    const at = atOf(name, fields[name] as Field<unknown, unknown>)
    return isWithin(path, at) ? at.length : -1
  }
  const [nearest] = visible.toSorted((one, other) => depthOf(other) - depthOf(one))
  return nearest !== undefined && depthOf(nearest) >= 0 ? nearest : undefined
}

/** The values of a form and the contract's errors. `refusal`: the server's refusal, shown at its field. */
export function useForm<E extends Endpoint, F extends Fields>(
  options: FormOptions<E, F>,
  refusal: ApiError | null,
): FormState<E, F> {
  const { call, about, fields, input: build, blocked = null } = options
  const names = Object.keys(fields)
  const [initial] = useState(() => mapOf(fields, ({ initial }) => initial))
  const [values, setValues] = useState<Readonly<Record<string, unknown>>>(initial)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [isTried, setTried] = useState(false)
  const [touchedRefusal, setTouchedRefusal] = useState<ApiError | null>(null)

  // Fields may change with the form's subject; a field without a value yet starts with its initial value.
  const whole: Readonly<Record<string, unknown>> = { ...mapOf(fields, ({ initial }) => initial), ...values }
  const adjustments: Readonly<Record<string, Adjustment | undefined>> = options.adjust?.(whole as Values<F>) ?? {}
  const visible = names.filter((name) => adjustments[name]?.isHidden !== true)
  const judged = judge({ call, fields, values: whole, visible, adjustments, build })
  const kept = Object.fromEntries(
    names.filter((name) => fields[name]?.isSecret !== true).map((name) => [name, whole[name]]),
  )
  const isDirty = names.some(
    (name) => JSON.stringify(whole[name]) !== JSON.stringify(initial[name] ?? fields[name]?.initial),
  )
  const isKeptDirty = Object.entries(kept).some(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(initial[name]),
  )
  const draft = useDraft(`${call.method} ${call.path} ${about}`, kept, isKeptDirty, isFitFor(initial))

  const refused = refusal === touchedRefusal ? null : refusal
  const shown = visible.map((name): ShownField => {
    const field = fields[name] as Field<unknown, unknown>
    const at = atOf(name, field)
    const mine = judged.faults.filter(({ path }) => ownerOf(path, visible, fields) === name)
    const isRefused = refused !== null && field.refusals?.includes(refused.code) === true
    const isToTell = isTried || left.has(name)
    return {
      name,
      field,
      label: adjustments[name]?.label ?? field.label,
      hint: adjustments[name]?.hint ?? field.hint,
      value: whole[name],
      limits: limitsOf(call, at),
      fault: isRefused ? wordsOf(refused) : isToTell ? (mine[0]?.text ?? null) : null,
      faultAt: (path) => (isToTell ? (mine.find((fault) => fault.path === `${at}.${path}`)?.text ?? null) : null),
      change: (value) => {
        setValues((before) => ({ ...before, [name]: value }))
        setTouchedRefusal(refusal)
      },
      leave: () => setLeft((before) => (before.has(name) ? before : new Set([...before, name]))),
    }
  })
  return {
    values: whole as Values<F>,
    shown,
    input: blocked === null && judged.faults.length === 0 ? (judged.input as RequestOf<E> | null) : null,
    known: judged.known as Partial<Inputs<F>>,
    reason: blocked ?? judged.faults[0]?.text ?? null,
    isDirty,
    draft: {
      isOffered: draft.offered !== null,
      takeUp: () => setValues((before) => ({ ...before, ...draft.takeUp() })),
      discard: draft.discard,
    },
    tried: () => setTried(true),
  }
}

interface Case<E extends Endpoint, F extends Fields> {
  readonly call: E
  readonly fields: F
  readonly values: Readonly<Record<string, unknown>>
  readonly visible: readonly string[]
  readonly adjustments: Readonly<Record<string, Adjustment | undefined>>
  readonly build: (values: Inputs<F>) => RequestOf<E>
}

interface Judged {
  readonly known: Readonly<Record<string, unknown>>
  readonly input: unknown
  readonly faults: readonly Fault[]
}

/** Reads the fields one by one; when all can be read, the contract checks the whole input. */
function judge<E extends Endpoint, F extends Fields>(options: Case<E, F>): Judged {
  const { call, fields, values, visible, adjustments, build } = options
  const known: Record<string, unknown> = {}
  const faults: Fault[] = []
  for (const name of visible) {
    const field = fields[name] as Field<unknown, unknown>
    const path = atOf(name, field)
    const read = field.read(values[name], limitsOf(call, path))
    const told = adjustments[name]?.fault ?? null
    if ('fault' in read) faults.push({ path, text: read.fault })
    else {
      known[name] = read.value
      if (told !== null) faults.push({ path, text: told })
    }
  }
  if (faults.length > 0) return { known, input: null, faults }
  const input = build(known as Inputs<F>)
  const order = (path: string): number => {
    const found = ownerOf(path, visible, fields)
    return found === undefined ? visible.length : visible.indexOf(found)
  }
  const labelOf = (path: string): string => {
    const name = visible[order(path)]
    return name === undefined ? path : (adjustments[name]?.label ?? fields[name]?.label ?? path)
  }
  const found = faultsOf(call, input, labelOf)
  return { known, input, faults: found.toSorted((one, other) => order(one.path) - order(other.path)) }
}

function mapOf(fields: Fields, of: (field: Field<unknown, unknown>) => unknown): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, of(field)]))
}

/** A draft of an older form may have unknown fields: only values of the same kind are restored. */
const isFitFor =
  (initial: Readonly<Record<string, unknown>>) =>
  (value: unknown): value is Readonly<Record<string, unknown>> =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries(value).every(
      ([name, one]) =>
        name in initial &&
        (initial[name] === null ||
          (typeof one === typeof initial[name] && Array.isArray(one) === Array.isArray(initial[name]))),
    )
