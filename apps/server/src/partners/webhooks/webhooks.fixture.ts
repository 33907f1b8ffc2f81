import { createHmac } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll } from 'vitest'
import type { WebhookEventName } from '@saddle/contract/partners/webhookEvents.ts'
import { createAudit } from '#audit/public.ts'
import { postSigned } from '#kit/webhook.ts'
import { testDatabase } from '#test/database.ts'
import { sessionCall, testKit } from '#test/kit.ts'
import { seedTenants, type TenantFixture } from '#test/tenants.ts'
import { createPartners } from '../public.ts'

export interface Heard {
  readonly id: string
  readonly event: string
  readonly subject: string
  readonly data: Readonly<Record<string, unknown>>
  readonly signature: string
  readonly delivery: string
  readonly text: string
}

export const timeoutMs = 300

/** A program that takes messages, as its owner would write it; `answer` says what it does with one. */
export async function receiver() {
  const heard: Heard[] = []
  const state: { answer: (response: ServerResponse, message: Heard) => void } = {
    answer: (response) => response.writeHead(204).end(),
  }
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (part: Buffer) => (text += part.toString()))
    request.on('end', () => {
      const message = {
        ...(JSON.parse(text) as Omit<Heard, 'text' | 'signature' | 'delivery'>),
        signature: String(request.headers['saddle-signature']),
        delivery: String(request.headers['saddle-delivery']),
        text,
      }
      heard.push(message)
      state.answer(response, message)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return { heard, state, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` }
}

/** What a receiver that follows the guide computes. */
export const signedBy = (secret: string, { signature, text }: Heard): boolean => {
  const seconds = /^t=(\d+)/.exec(signature)?.[1] ?? ''
  const expected = createHmac('sha256', secret).update(`${seconds}.${text}`).digest('hex')
  return signature.split(',').includes(`v1=${expected}`)
}

/** Two companies, the calls of their managers, and things that happen to one of them. */
export async function webhookWorld() {
  const { db, owner, url } = await testDatabase()
  const kit = testKit(db, { NOTICE_LOCAL_WEBHOOKS: 'true' })
  const partners = createPartners(kit, {
    audit: createAudit(kit),
    post: (options) => postSigned({ ...options, timeoutMs }),
  })
  const tenants: TenantFixture[] = []
  beforeAll(async () => {
    tenants.push(...(await seedTenants(kit)))
  })
  const of = (index: 0 | 1): TenantFixture => {
    const tenant = tenants[index]
    if (tenant === undefined) throw new Error('the tenants are not there yet')
    return tenant
  }
  const call = (index: 0 | 1 = 0) =>
    sessionCall({
      operatorId: of(index).managerId,
      agentId: of(index).agentId,
      grant: { agentIds: [of(index).agentId], areaIds: [...of(index).areaIds] },
      name: '周可',
    })
  const { handlers } = partners
  const create = async (target: string, events: WebhookEventName[]) =>
    (await handlers.createWebhook({ name: '订单同步', url: target, events }, call())).data
  const shown = async (id: number) => (await handlers.listWebhooks({}, call())).data.list.find((row) => row.id === id)
  const log = async () =>
    (await handlers.listWebhookDeliveries({ filter: {}, sort: 'at', pageSize: 200 } as never, call())).data
      .list as readonly {
      id: number
      webhookId: number
      state: string
      attempts: number
      answerStatus: number | null
      answer: string | null
      fault: string | null
      body: string
    }[]
  /** Sets the state of a vehicle; each change is an event of it. */
  const setState = async (vehicle: 0 | 1, state: string): Promise<void> => {
    await sql`update vehicle set state = ${state}, state_before = null, state_changed_at = now()
      where id = ${of(0).vehicleIds[vehicle]}`.execute(owner)
  }
  const clear = async (): Promise<void> => {
    await owner.deleteFrom('webhook').where('name', '=', '订单同步').execute()
    await owner.deleteFrom('notice').execute()
  }
  return { db, owner, url, kit, partners, handlers, of, call, create, shown, log, setState, clear }
}
