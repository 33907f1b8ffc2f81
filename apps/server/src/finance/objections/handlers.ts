import { defaultAgentId } from '@saddle/contract/constants.ts'
import { AppError } from '@saddle/contract/errors.ts'
import {
  objectionFields,
  objectionList,
  type Objection,
  type objectionEndpoints,
} from '@saddle/contract/finance/objections.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf } from '#kit/db/rows.ts'
import { serveList } from '#kit/list/serveList.ts'
import type { Photos } from '#photos/public.ts'
import { tell } from '#notices/public.ts'
import { decide, submitObjection } from './decide.ts'
import type { ObjectionDeps, Person } from './deps.ts'
import { actsOf } from './rules.ts'
import { lockIncome, submitSplitObjection } from './split.ts'
import { presentSplitLine, selectSplitLines } from './splitStore.ts'
import {
  lockBillOf,
  objectionRows,
  presentEvent,
  presentObjection,
  presentObjectionLine,
  selectEvents,
  selectObjection,
  selectObjectionLines,
  type WholeObjection,
} from './store.ts'

type Deps = ObjectionDeps & { readonly photos: Pick<Photos, 'keep' | 'read'> }
type All = Handlers<typeof objectionEndpoints>

const evidencePurpose = 'objection'
const personOf = ({ caller }: SessionCall): Person => ({ id: caller.operatorId, name: caller.name })

function shown(row: WholeObjection) {
  const { held_paid_cents: _, transit_cents: __, photo_ids: ___, reviewer_id: ____, ...objection } = row
  return presentObjection(objection)
}

const mayDo = (row: WholeObjection, { caller }: Pick<SessionCall, 'caller'>) =>
  actsOf({
    state: row.state,
    isPlatform: caller.agentId === defaultAgentId,
    isOwn: caller.agentId === row.agent_id,
    isReviewer: caller.operatorId === row.reviewer_id,
  })

export function createObjectionHandlers(deps: Deps): All {
  const list = serveList(deps, objectionList, {
    name: 'objections',
    rows: objectionRows,
    present: presentObjection,
    file: { action: 'objection.export', fields: objectionFields },
  })
  return {
    listObjections: list.page,
    sumObjections: list.sums,
    exportObjections: list.file,
    ...createReading(deps),
    ...createActs(deps),
  }
}

function createReading({ kit, photos }: Deps): Pick<All, 'objectionDetails'> {
  const { db } = kit
  return {
    objectionDetails: async ({ id }, call) => {
      const { scope } = call
      const [row] = await db.read(scope, (k) => selectObjection({ id, scope }).compile(k))
      if (row === undefined) throw new AppError('not_found')
      const about = { id, agentId: row.agent_id }
      const [lines, splitLines, events, evidence] = await Promise.all([
        db.read(scope, (k) => selectObjectionLines(about).compile(k)),
        db.read(scope, (k) => selectSplitLines(about).compile(k)),
        db.read(scope, (k) => selectEvents(about).compile(k)),
        row.photo_ids.length === 0 ? [] : photos.read(scope, { purpose: evidencePurpose, ids: row.photo_ids }),
      ])
      return {
        suc: true,
        data: {
          objection: shown(row),
          lines: lines.map(presentObjectionLine),
          splitLines: splitLines.map(presentSplitLine),
          transitCents: row.transit_cents,
          heldCents: row.held_paid_cents,
          events: events.map(presentEvent),
          photos: [...evidence],
          acts: call.caller.permissions.has('financial_04') ? mayDo(row, call) : [],
        },
      }
    },
  }
}

const companyRow = rowOf('agent', 'a', ['company'])

function createActs(deps: Deps): Pick<All, 'submitObjection' | 'submitSplitObjection' | 'decideObjection'> {
  const { kit, audit, photos } = deps
  const { db } = kit
  const submit = async (
    call: SessionCall,
    files: readonly string[],
    write: (
      tx: Tx,
      of: { readonly by: Person; readonly keep: (agentId: number) => Promise<readonly string[]> },
    ) => ReturnType<typeof submitObjection>,
  ): Promise<Objection> => {
    const { scope } = call
    return db.system(async (tx) => {
      const keep = async (agentId: number): Promise<string[]> => {
        const ids: string[] = []
        for (const file of files)
          ids.push(await photos.keep(tx, { agentId, areaId: null, purpose: evidencePurpose, file }))
        return ids
      }
      const { id, agentId, post } = await write(tx, { by: personOf(call), keep })
      const [row] = (await selectObjection({ id, scope }).execute(tx)).rows
      if (row === undefined) throw new Error(`no objection ${id}`)
      const { rows: companies } = await companyRow.select`from agent a where a.id = ${agentId}`.execute(tx)
      await tell(tx, {
        event: 'objection_submitted',
        agentId,
        subject: `objection ${id}`,
        values: {
          company: companies[0]?.company ?? '',
          bill: row.bill_id === null ? 'split' : 'service',
          cents: row.disputed_cents,
        },
        path: `/financial/objectionBillInfo?id=${id}`,
        at: new Date(kit.clock.now()),
      })
      await audit.act(tx, call, {
        agentId,
        action: 'objection.submit',
        subjectKind: 'objection',
        subjectId: id,
        after: { billId: row.bill_id, reason: row.reason, disputedCents: row.disputed_cents },
      })
      await post()
      return shown(row)
    })
  }
  return {
    submitObjection: async ({ photos: files = [], ...input }, call) => {
      const { scope } = call
      const data = await submit(call, files, (tx, of) => submitObjection(deps, tx, { ...input, ...of, scope }))
      return { suc: true, data }
    },

    submitSplitObjection: async ({ photos: files = [], ...input }, call) => {
      const { scope } = call
      const data = await submit(call, files, (tx, of) => submitSplitObjection(deps, tx, { ...input, ...of, scope }))
      return { suc: true, data }
    },

    decideObjection: async ({ id, act, cents, note }, call) => {
      const { scope } = call
      const data = await db.system(async (tx) => {
        const [known] = (await selectObjection({ id, scope }).execute(tx)).rows
        if (known === undefined) throw new AppError('not_found')
        // Bills are locked before objections: whoever disputes, waives, pays or settles waits here.
        if (known.kind === 'service') await lockBillOf(tx, { id: known.bill_id, scope })
        else await lockIncome(tx, known)
        const [row = known] = (await selectObjection({ id, scope }).execute(tx)).rows
        if (!mayDo(row, call).includes(act)) {
          throw new AppError(row.decided_at === null ? 'forbidden' : 'objection_decided')
        }
        const { post } = await decide(deps, tx, row, { act, cents, note, by: personOf(call) })
        const [after = row] = (await selectObjection({ id, scope }).execute(tx)).rows
        await audit.act(tx, call, {
          agentId: row.agent_id,
          action: `objection.${act}`,
          subjectKind: 'objection',
          subjectId: id,
          before: { state: row.state },
          after: { state: after.state, acceptedCents: after.accepted_cents, note },
        })
        await post()
        return shown(after)
      })
      return { suc: true, data }
    },
  }
}
