import { AppError } from '@saddle/contract/errors.ts'
import { loginCookies } from '@saddle/contract/identity/limits.ts'
import {
  screenCodeLifetimeMs,
  screenPairingsMax,
  screenPairingsPerAddress,
  screensPerCompanyMax,
  type wallScreenEndpoints,
} from '@saddle/contract/identity/screens.ts'
import { screenPermissions } from '@saddle/contract/reports/screens.ts'
import { cookieHash } from '#identity/secrets.ts'
import { endSessions } from '#identity/session/store.ts'
import { addressBucket } from '#kit/address.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import { randomToken } from '#kit/crypto.ts'
import type { Tx } from '#kit/db/pool.ts'
import { collectSession, type ScreenDeps } from './collect.ts'
import { knownPages, newScreenCode } from './rules.ts'
import {
  countOpenPairings,
  countScreens,
  lockScreen,
  readLastSeen,
  selectScreens,
  type ChangedScreen,
} from './store.ts'

type Endpoints = typeof wallScreenEndpoints

/** Screens on walls: the wall shows a code, staff enter it, the wall collects its session. */
export function createScreenHandlers(deps: ScreenDeps): Handlers<Endpoints> {
  return { ...wallHandlers(deps), ...staffHandlers(deps) }
}

function wallHandlers(deps: ScreenDeps): Pick<Handlers<Endpoints>, 'beginScreenPairing' | 'collectScreenSession'> {
  const { db, clock, random, secrets } = deps
  return {
    beginScreenPairing: async (_, call) => {
      const at = new Date(clock.now())
      const expiresAt = new Date(at.getTime() + screenCodeLifetimeMs)
      const addressHash = secrets.addressHash(addressBucket(call.address))
      const [code, collect] = [newScreenCode(random), randomToken(random)]
      await db.system(async (tx) => {
        const { all, here } = await countOpenPairings(tx, { addressHash, at })
        if (here >= screenPairingsPerAddress || all >= screenPairingsMax) throw new AppError('too_many_requests')
        await tx
          .insertInto('screen_pairing')
          .values({
            code_hash: secrets.screenCodeHash(code),
            collect_hash: cookieHash(collect),
            address_hash: addressHash,
            created_at: at,
            expires_at: expiresAt,
          })
          .execute()
      })
      call.setCookie(loginCookies.screen, collect, { maxAgeMs: screenCodeLifetimeMs })
      return { suc: true, data: { code, expiresAt: expiresAt.getTime() } }
    },
    collectScreenSession: (_, call) => collectSession(deps, call),
  }
}

function staffHandlers(deps: ScreenDeps): Omit<Handlers<Endpoints>, 'beginScreenPairing' | 'collectScreenSession'> {
  const { db, clock, directory, audit } = deps
  /** Changes a screen of the scope and writes it down; throws `not_found`. */
  const change = async (
    call: SessionCall,
    id: number,
    step: (
      tx: Tx,
      screen: ChangedScreen,
    ) => Promise<{ readonly action: string; readonly after: Record<string, unknown> }>,
  ): Promise<void> =>
    db.system(async (tx) => {
      const screen = await lockScreen(tx, call.scope, id)
      if (screen === null) throw new AppError('not_found')
      const { agentId, name } = screen
      const done = await step(tx, screen)
      await audit.act(tx, call, { agentId, subjectKind: 'screen', subjectId: id, before: { name }, ...done })
    })
  return {
    listScreens: async (_, call) => {
      const rows = await db.read(call.scope, (k) => selectScreens(call.scope, screensPerCompanyMax).compile(k))
      const ids = rows.map(({ id }) => id)
      const seen = await readLastSeen(db, ids, new Date(clock.now()))
      const list = rows.map(({ pairedAt, pages, ...row }) =>
        Object.assign(row, {
          pages: knownPages(pages),
          pairedAt: pairedAt.getTime(),
          lastSeenAt: seen.get(row.id)?.getTime() ?? null,
        }),
      )
      return { suc: true, data: { list } }
    },

    pairScreen: async (input, call) => {
      if (input.pages.some((page) => !call.caller.permissions.has(screenPermissions[page])))
        throw new AppError('forbidden')
      const granted = new Set(call.grant.areaIds)
      if (input.areaIds?.some((id) => !granted.has(id))) throw new AppError('foreign_scope')
      return { suc: true, data: { id: await db.system((tx) => pair(deps, tx, { ...input, call })) } }
    },

    renameScreen: async ({ id, name }, call) => {
      await change(call, id, async (tx) => {
        await tx.updateTable('wall_screen').set({ name }).where('id', '=', id).execute()
        return { action: 'screen.rename', after: { name } }
      })
      return { suc: true, data: {} }
    },

    removeScreen: async ({ id }, call) => {
      const at = new Date(clock.now())
      const ended: string[] = []
      await change(call, id, async (tx) => {
        await tx.updateTable('wall_screen').set({ removed_at: at }).where('id', '=', id).execute()
        ended.push(...(await endSessions({ tx, ending: { screenId: id }, at })))
        return { action: 'screen.remove', after: {} }
      })
      for (const handle of ended) directory.changed(handle)
      return { suc: true, data: {} }
    },
  }
}

interface NewScreen {
  readonly code: string
  readonly name: string
  readonly pages: readonly string[]
  readonly areaIds?: readonly number[] | undefined
  readonly call: SessionCall
}

/** Gives the wall that shows the code a screen with a part of the caller's rights. Throws where the code is not shown now. */
async function pair({ clock, secrets, audit }: ScreenDeps, tx: Tx, screen: NewScreen): Promise<number> {
  const { code, name, pages, areaIds = null, call } = screen
  const { agentId, operatorId } = call.caller
  const at = new Date(clock.now())
  const pairing = await tx
    .selectFrom('screen_pairing')
    .select('id')
    .where('code_hash', '=', secrets.screenCodeHash(code))
    .where('expires_at', '>', at)
    .where('screen_id', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (pairing === undefined) throw new AppError('screen_code_invalid')
  if ((await countScreens(tx, agentId)) >= screensPerCompanyMax) throw new AppError('screen_too_many')
  const { id } = await tx
    .insertInto('wall_screen')
    .values({
      agent_id: agentId,
      operator_id: operatorId,
      operator_name: call.caller.name,
      name,
      pages: [...pages],
      area_ids: areaIds === null ? null : [...areaIds],
      paired_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx.updateTable('screen_pairing').set({ screen_id: id }).where('id', '=', pairing.id).execute()
  const after = { name, pages: [...pages], areas: areaIds?.length ?? null }
  await audit.act(tx, call, { agentId, action: 'screen.pair', subjectKind: 'screen', subjectId: id, after })
  return id
}
