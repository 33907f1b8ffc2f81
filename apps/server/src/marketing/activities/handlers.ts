import type { z } from 'zod'
import { AppError } from '@saddle/contract/errors.ts'
import {
  activityFields,
  activityList,
  shownStateOf,
  type ActivityCalls,
  type ActivityCommon,
  type ActivityKind,
  type ActivityPreview,
} from '@saddle/contract/marketing/activities.ts'
import type { Handlers } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Scope } from '#kit/db/scope.ts'
import { serveList } from '#kit/list/serveList.ts'
import { changeActivity, createActivity, switchActivity, type CheckTerms } from './change.ts'
import type { ActivityDeps } from './deps.ts'
import { activityRows, presentActivity, presentVersion, selectVersions } from './store.ts'

/** What a kind of activity adds to the handlers that all kinds share. */
export type ActivitySpec<T extends z.ZodType<object>> = {
  readonly kind: ActivityKind
  /** It also reads what it has read: terms are stored as its output. */
  readonly terms: T
  /** Names the list in its cursors and its file. */
  readonly fileName: string
  /** What its terms must be beside their schema; in the transaction that stores or starts it. */
  readonly check?: (
    tx: Tx,
    activity: {
      /** Null: it is made now. */
      readonly id: number | null
      readonly agentId: number
      readonly common: ActivityCommon
      readonly terms: z.output<T>
    },
  ) => Promise<void>
  /** What it would have done over the last weeks. `scope`: that of the caller, cut to the company. */
  readonly preview: (asked: {
    readonly scope: Scope
    readonly agentId: number
    readonly common: ActivityCommon
    readonly terms: z.output<T>
    readonly weeks: number
  }) => Promise<ActivityPreview>
}

/** The handlers of a kind of activity, to be named as its calls are. */
export function serveActivities<T extends z.ZodType<object>>(
  deps: ActivityDeps,
  spec: ActivitySpec<T>,
): Handlers<ActivityCalls<T>> {
  const { kit } = deps
  const { kind, terms: termsSchema } = spec
  // The type of an input is not resolved while its terms are those of any kind.
  const termsIn = (input: object): z.output<T> => termsSchema.parse((input as { readonly terms: unknown }).terms)
  const check: CheckTerms = async (tx, { terms, ...activity }) =>
    spec.check?.(tx, { ...activity, terms: termsSchema.parse(terms) })
  const rules = { kind, check }
  const served = serveList(deps, activityList, {
    name: spec.fileName,
    prepare: () => ({ now: new Date(kit.clock.now()) }),
    rows: activityRows(kind),
    present: (row) => {
      const activity = presentActivity(row)
      return { ...activity, shown: shownStateOf(activity, kit.clock.now()), terms: termsSchema.parse(row.terms) }
    },
    file: { action: 'activity.export', fields: activityFields },
  })
  return {
    list: served.page,
    sums: served.sums,
    file: served.file,
    create: async (input, call) => ({
      suc: true,
      data: await createActivity(deps, rules, call, { ...input, terms: termsIn(input) }),
    }),
    change: async (input, call) => ({
      suc: true,
      data: await changeActivity(deps, rules, call, { ...input, terms: termsIn(input) }),
    }),
    switchState: async (input, call) => ({ suc: true, data: await switchActivity(deps, rules, call, input) }),

    versions: async ({ id }, { scope }) => {
      const rows = await kit.db.read(scope, (k) => selectVersions({ id, kind, scope }).compile(k))
      if (rows.length === 0) throw new AppError('not_found')
      const list = rows.map((row) => Object.assign(presentVersion(row), { terms: termsSchema.parse(row.terms) }))
      return { suc: true, data: { list } }
    },

    preview: async (input, { scope }) => {
      const { agentId, common, weeks } = input
      if (!scope.agentIds.includes(agentId)) throw new AppError('not_found')
      const own = { ...scope, agentIds: [agentId] }
      return { suc: true, data: await spec.preview({ scope: own, agentId, common, terms: termsIn(input), weeks }) }
    },
  }
}
