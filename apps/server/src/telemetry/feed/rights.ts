import { setImmediate } from 'node:timers/promises'
import { closeCodes } from '@saddle/contract/telemetry/live.ts'
import { EMPTY_SCOPE } from '#kit/db/scope.ts'
import type { Kit } from '#kit/kit.ts'
import type { Visibility } from '../live/table.ts'
import { notify, visibilityOf, type Client, type LiveRights } from './client.ts'

type RightsCheck = { readonly client: Client; readonly kit: Pick<Kit, 'clock' | 'log'> }

/** Called when the session changed. The client sees nothing until its rights were read again. */
export function recheck(check: RightsCheck): void {
  const { client } = check
  if (client.identity.current === undefined) {
    disconnect(client, { code: 'session_changed', close: closeCodes.goingAway })
    return
  }
  client.rights = { scope: EMPTY_SCOPE, permissions: new Set() }
  client.visibility = visibilityOf(client.rights)
  void readRights(check)
}

/** Reads the client's rights. Disconnects it when its session has ended. */
export async function readRights({ client, kit }: RightsCheck): Promise<void> {
  const { current } = client.identity
  if (current === undefined) return
  client.checkedAt = kit.clock.now()
  client.check += 1
  const { check } = client
  try {
    // The cache of sessions is told of the change by the same bus, perhaps after us.
    await setImmediate()
    const rights = await current()
    if (client.check !== check) return
    if (rights === null) disconnect(client, { code: 'unauthorized', close: closeCodes.unauthorised })
    else applyRights(client, rights)
  } catch (err) {
    kit.log.warn({ err }, 'the rights of a live socket could not be read')
    disconnect(client, { code: 'session_changed', close: closeCodes.goingAway })
  }
}

function applyRights(client: Client, rights: LiveRights): void {
  const visibility = visibilityOf(rights)
  const isSame =
    isSameVisibility(client.visibility, visibility) && equalSets(client.rights.permissions, rights.permissions)
  client.rights = rights
  if (isSame) return
  client.visibility = visibility
  client.needsSnapshot = client.viewport !== null
  notify(client, { type: 'refresh' })
}

function isSameVisibility(a: Visibility, b: Visibility): boolean {
  return equalSets(a.agentIds, b.agentIds) && equalSets(a.areaIds, b.areaIds)
}

function equalSets<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): boolean {
  return a.size === b.size && a.isSubsetOf(b)
}

function disconnect(client: Client, options: { code: string; close: number }): void {
  client.viewport = null
  notify(client, { type: 'bye', code: options.code })
  client.socket.close(options.close, options.code)
}
