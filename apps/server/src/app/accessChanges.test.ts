import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { endpoints } from '@saddle/contract/endpoints.ts'
import { liveSocketPath } from '@saddle/contract/constants.ts'
import { decodeLiveFrame, type LiveFrame, type ServerEvent } from '@saddle/contract/telemetry/live.ts'
import type { AccessChange } from '#identity/public.ts'
import type { Tx } from '#kit/db/pool.ts'
import { scopeOfAgent } from '#kit/db/scope.ts'
import type { TestClient } from '#test/client.ts'
import { testPlatform } from '#test/platform.ts'
import { seedTenants, type TenantFixture } from '#test/tenants.ts'

const tenants: TenantFixture[] = []
/** The server that makes the changes, and another one on the same database that people are logged in to. */
const near = await testPlatform({
  env: { SERVICES: 'api' },
  seed: async (kit) => {
    tenants.push(...(await seedTenants(kit)))
  },
})
const far = await testPlatform({ env: { SERVICES: 'api' }, database: near })
const [alpha, bravo] = [tenants[0]!, tenants[1]!]
const { owner } = near
/** What the product promises. */
/** A machine that is busy may take longer than the two seconds of the watch. */
const within = { timeout: 60_000, interval: 20 }

async function watch(client: TestClient) {
  const cookie = [...client.jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const socket = new WebSocket(far.address.replace('http', 'ws') + liveSocketPath, { headers: { cookie } })
  const frames: LiveFrame[] = []
  const events: ServerEvent[] = []
  let closedWith: number | null = null
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) frames.push(decodeLiveFrame(new Uint8Array(data)))
    else events.push(JSON.parse(data.toString()) as ServerEvent)
  })
  socket.on('close', (code) => {
    closedWith = code
  })
  await new Promise<void>((resolve) => socket.on('open', () => resolve()))
  const token = client.sign(client.tokenFor({ endpoint: { method: 'GET', path: liveSocketPath } }))
  socket.send(JSON.stringify({ type: 'hello', token }))
  await expect.poll(() => events.map((event) => event.type)).toContain('ready')
  socket.send(JSON.stringify({ type: 'view', bounds: { west: -180, south: -90, east: 180, north: 90 } }))
  /** Vehicles of the last whole picture, with what came after it. */
  const seen = (): number[] => {
    const last = frames.findLastIndex((frame) => frame.kind === 'vehicles' && frame.snapshot)
    return frames
      .slice(Math.max(0, last))
      .flatMap((frame) => (frame.kind === 'vehicles' ? frame.upserts.map((vehicle) => vehicle.id) : []))
      .toSorted((a, b) => a - b)
  }
  return { socket, events, seen, closedWith: () => closedWith }
}

const operatorOf = async (phone: string): Promise<number> => {
  const { data } = (await (await near.login(phone)).call(endpoints.me, {})).body
  return Number(data.operatorId)
}
/** As a handler does it: within the scope of the one who makes the change. */
const change = async (of: TenantFixture, what: AccessChange, work: (tx: Tx) => Promise<unknown>): Promise<void> => {
  const scope = scopeOfAgent(of.agentId, [...of.areaIds])
  await near.kit.db.withScope(scope, async (tx) => {
    await work(tx)
    await near.platform.domains.identity.accessChanged(tx, what)
  })
}
const codesOf = async (client: TestClient): Promise<string[]> => {
  const { status, body } = await client.call(endpoints.allCode, { opManId: client.session!.data.objectId })
  return status === 200 ? body.data : [String(status)]
}

describe('a change that one server makes, on the sessions of another', () => {
  it('gives a new area to calls and to the live socket', async () => {
    const client = await far.login(alpha.worker)
    const operatorId = await operatorOf(alpha.worker)
    const live = await watch(client)
    await expect.poll(live.seen).toEqual([alpha.vehicleIds[0]])
    const row = { operator_id: operatorId, agent_id: alpha.agentId, area_id: alpha.areaIds[1] }
    await change(alpha, { operatorIds: [operatorId] }, (tx) => tx.insertInto('operator_area').values(row).execute())
    await expect.poll(live.seen, within).toEqual([...alpha.vehicleIds])
    expect((await client.call(endpoints.me, {})).body.data.areaCount).toBe(2)
    await change(alpha, { areaId: alpha.areaIds[1] }, (tx) =>
      tx.deleteFrom('operator_area').where('area_id', '=', alpha.areaIds[1]).execute(),
    )
    live.socket.close()
  })

  it('takes the codes of a disabled role away, and the picture with them', async () => {
    const client = await far.login(alpha.manager)
    const live = await watch(client)
    await expect.poll(live.seen).toEqual([...alpha.vehicleIds])
    const { role_id: roleId } = await owner
      .selectFrom('operator')
      .select('role_id')
      .where('id', '=', await operatorOf(alpha.manager))
      .executeTakeFirstOrThrow()
    const setState = (state: string) =>
      change(alpha, { roleId: roleId! }, (tx) =>
        tx.updateTable('role').set({ state }).where('id', '=', roleId!).execute(),
      )
    expect((await codesOf(client)).length).toBeGreaterThan(1)
    await setState('disabled')
    await expect.poll(() => codesOf(client), within).toEqual(['all'])
    await expect.poll(() => live.events.map((event) => event.type), within).toContain('refresh')
    await setState('enabled')
    await expect.poll(() => codesOf(client), within).toContain('0301')
    live.socket.close()
  })

  it('ends the sessions and the socket of somebody who is disabled, also when they are enabled again', async () => {
    const client = await far.login(bravo.worker)
    const live = await watch(client)
    const operatorId = await operatorOf(bravo.worker)
    const setState = (state: string) =>
      change(bravo, { operatorIds: [operatorId] }, (tx) =>
        tx.updateTable('operator').set({ state }).where('id', '=', operatorId).execute(),
      )
    await setState('disabled')
    await expect.poll(live.closedWith, within).toBe(4401)
    expect(live.events.at(-1)).toEqual({ type: 'bye', code: 'unauthorized' })
    await setState('enabled')
    expect(await codesOf(client)).toEqual(['401'])
  })

  it('ends the sessions of a franchisee that is disabled', async () => {
    const client = await far.login(bravo.manager)
    const live = await watch(client)
    await near.kit.db.system(async (tx) => {
      await tx.updateTable('agent').set({ state: 'disabled' }).where('id', '=', bravo.agentId).execute()
      await near.platform.domains.identity.accessChanged(tx, { agentId: bravo.agentId })
    })
    await expect.poll(live.closedWith, within).toBe(4401)
    expect(await codesOf(client)).toEqual(['401'])
    await owner.updateTable('agent').set({ state: 'enabled' }).where('id', '=', bravo.agentId).execute()
  })

  it('shows a new franchisee to those above it', async () => {
    const client = await far.login('13900000000')
    const before = (await client.call(endpoints.me, {})).body.data.agentCount
    await near.kit.db.system(async (tx) => {
      await tx.insertInto('agent').values({ id: 900, parent_id: bravo.agentId, company: 'new below bravo' }).execute()
      await near.platform.domains.identity.accessChanged(tx, { agentId: 900 })
    })
    await expect.poll(async () => (await client.call(endpoints.me, {})).body.data.agentCount, within).toBe(before + 1)
  })

  it('ends a session that was revoked there', async () => {
    const client = await far.login(bravo.bare)
    const live = await watch(client)
    await near.platform.domains.identity.sessions.revokeAllOf(await operatorOf(bravo.bare))
    await expect.poll(live.closedWith, within).toBe(4401)
  })

  it('is not lost when it was begun before another one and committed after it', async () => {
    const client = await far.login(alpha.bare)
    const operatorId = await operatorOf(alpha.bare)
    const live = await watch(client)
    const scope = scopeOfAgent(alpha.agentId, [...alpha.areaIds])
    await near.kit.db.withScope(scope, async (tx) => {
      await near.platform.domains.identity.accessChanged(tx, { operatorIds: [operatorId] })
      await tx.updateTable('operator').set({ state: 'disabled' }).where('id', '=', operatorId).execute()
      await change(bravo, { agentId: bravo.agentId }, async () => {})
      // Both servers have looked beyond the open transaction.
      await far.kit.db.system((other) => far.platform.domains.identity.accessChanged(other, { operatorIds: [] }))
      expect(live.closedWith()).toBeNull()
    })
    await expect.poll(live.closedWith, within).toBe(4401)
  })
})
