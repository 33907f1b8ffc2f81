import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { currentSession } from '#kit/session/store.ts'
import type { Filter, ListDeclaration, Sort } from './declare.ts'

/** Filter conditions set by the person; `null` removes a default condition. */
export type Conditions<F extends Filter> = { readonly [K in keyof F]?: F[K] | null }

/** The query of a list. */
export interface Question<F extends Filter> {
  readonly conditions: Conditions<F>
  readonly sort: Sort
}

const filterParam = 'filter'
const sortParam = 'sort'

/** The query in a list's address; invalid parts are ignored. */
export function readQuestion<F extends Filter>(
  { filter, sort, sorts }: Pick<ListDeclaration<never, F>, 'filter' | 'sort' | 'sorts'>,
  params: URLSearchParams,
): Question<F> {
  return {
    conditions: readConditions(filter, params.get(filterParam)),
    sort: readSort(params.get(sortParam), sort, sorts),
  }
}

function readConditions<F extends Filter>(
  schema: ListDeclaration<never, F>['filter'],
  text: string | null,
): Conditions<F> {
  let value: unknown
  try {
    value = JSON.parse(text ?? '{}')
  } catch {
    return {}
  }
  if (typeof value !== 'object' || value === null) return {}
  const entries = Object.entries(value)
  const read = schema.safeParse(Object.fromEntries(entries.filter(([, one]) => one !== null)))
  if (!read.success) return {}
  const taken = Object.fromEntries(entries.filter(([, one]) => one === null))
  return { ...read.data, ...taken }
}

function readSort(text: string | null, usual: Sort, sorts: object): Sort {
  const [by, direction] = text?.split('.') ?? []
  if (by === undefined || !Object.hasOwn(sorts, by) || (direction !== 'asc' && direction !== 'desc')) return usual
  return { by, direction }
}

/** The part of a query that the address shows: no secret conditions and no defaults. */
export function writeQuestion<F extends Filter>(
  { secret, sort }: Pick<ListDeclaration<never, F>, 'secret' | 'sort'>,
  question: Question<F>,
): URLSearchParams {
  const shown = Object.entries(question.conditions).filter(([name]) => !secret.includes(name))
  const params = new URLSearchParams()
  if (shown.length > 0) params.set(filterParam, JSON.stringify(Object.fromEntries(shown)))
  const { by, direction } = question.sort
  if (by !== sort.by || direction !== sort.direction) params.set(sortParam, `${by}.${direction}`)
  return params
}

/** The conditions for the server: the defaults that were not removed, and those that were set. */
export function filterOf<F extends Filter>(usual: Partial<F>, conditions: Conditions<F>): Partial<F> {
  const entries = Object.entries({ ...usual, ...conditions }).filter(([, value]) => value !== null)
  return Object.fromEntries(entries) as Partial<F>
}

/** Changes some conditions: `undefined` removes a condition; a default condition then stays off. */
export function changeConditions<F extends Filter>(
  usual: Partial<F>,
  conditions: Conditions<F>,
  part: Partial<Record<keyof F, unknown>>,
): Conditions<F> {
  const next: Record<string, unknown> = { ...conditions }
  for (const [name, value] of Object.entries(part)) {
    const isUsual = Object.hasOwn(usual, name)
    if (value === undefined && isUsual) next[name] = null
    else if (value === undefined || (isUsual && sameValue(value, usual[name as keyof F]))) delete next[name]
    else next[name] = value
  }
  return next as Conditions<F>
}

const sameValue = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right)

interface Remembered {
  readonly text: string
  readonly question: Question<Filter>
}

interface Known<F extends Filter> {
  readonly text: string
  readonly question: Question<F>
  /** The address when this was set or restored; the address itself is updated a moment later. */
  readonly from?: string
  /** The address is not updated yet. */
  readonly isRecalled?: boolean
}

/** The last query of each list, only in memory because it may contain a phone number. */
const remembered = new Map<string, Remembered>()

/** For tests: the state after a page reload. */
export const forgetQuestions = (): void => remembered.clear()

/**
 * The query of a list, kept in the address. Menu links have no query, so returning by the menu restores the last one,
 * including its secret conditions, which never appear in the address. A list `isInside` another page
 * leaves the address to that page and starts with a new query each time.
 */
export function useQuestion<Row, F extends Filter>(
  declaration: ListDeclaration<Row, F>,
  { isInside = false }: { readonly isInside?: boolean } = {},
): readonly [Question<F>, (question: Question<F>) => void] {
  const [params, setParams] = useSearchParams()
  const key = `${currentSession()?.opManId ?? ''} ${declaration.name}`
  const text = isInside ? noQuestion : questionText(params)
  const [known, setKnown] = useState<Known<F>>(() =>
    isInside ? { text, question: readQuestion(declaration, new URLSearchParams()) } : recall(declaration, key, params),
  )
  let current = known
  if (known.from !== undefined && text === known.text) {
    current = { text, question: known.question }
    setKnown(current)
  } else if (text !== known.text && text !== known.from) {
    current = recall(declaration, key, params)
    setKnown(current)
  }
  const put = (question: Question<F>) => {
    const written = writeQuestion(declaration, question)
    setParams(
      (old) => {
        const others = new URLSearchParams(old)
        for (const name of [filterParam, sortParam]) {
          const value = written.get(name)
          if (value === null) others.delete(name)
          else others.set(name, value)
        }
        return others
      },
      { replace: true },
    )
  }
  const isRecalled = current.isRecalled === true
  useEffect(() => {
    if (!isInside) remembered.set(key, { text: current.text, question: current.question })
  })
  useEffect(() => {
    if (isRecalled) put(current.question)
    // Once for each restored query: the address follows, and from then on it is not a restored query.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isRecalled])
  const set = (question: Question<F>) => {
    if (isInside) {
      setKnown({ text, question })
      return
    }
    const next = { text: questionText(writeQuestion(declaration, question)), question }
    setKnown({ ...next, from: text })
    put(question)
  }
  return [current.question, set]
}

const questionText = (params: URLSearchParams): string =>
  [filterParam, sortParam].map((name) => params.get(name) ?? '').join('\n')

const noQuestion = '\n'

/** The address's query; the last query if it is empty, plus the last secret conditions if both are the same. */
function recall<Row, F extends Filter>(
  declaration: ListDeclaration<Row, F>,
  key: string,
  params: URLSearchParams,
): Known<F> {
  const text = questionText(params)
  const last = remembered.get(key)
  if (last !== undefined && text === last.text) return last as Known<F>
  if (last !== undefined && text === noQuestion) return { ...(last as Known<F>), from: text, isRecalled: true }
  return { text, question: readQuestion(declaration, params) }
}
