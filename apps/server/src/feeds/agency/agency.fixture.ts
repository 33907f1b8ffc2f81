import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'
import type { z } from 'zod'
import {
  mdsEventSchema,
  mdsJson,
  mdsTelemetrySchema,
  mdsTripSchema,
  mdsVehicleSchema,
} from '@saddle/contract/feeds/mdsRecords.ts'

interface Asked {
  readonly method: string
  readonly path: string
  readonly items: readonly Readonly<Record<string, unknown>>[]
}
type Answer = (response: ServerResponse, asked: Asked) => void

const kinds = {
  '/vehicles': [mdsVehicleSchema, 'device_id'],
  '/events': [mdsEventSchema, 'event_id'],
  '/trips': [mdsTripSchema, 'trip_id'],
  '/telemetry': [mdsTelemetrySchema, 'telemetry_id'],
} as const satisfies Record<string, readonly [z.ZodType, string]>

/**
 * A city that runs MDS agency: it knows vehicles that were registered, takes records of those alone and each of them once, and
 * says which it refuses. `state.answer` lets it do something else.
 */
export async function cityOf(token: string) {
  const asked: Asked[] = []
  const vehicles = new Map<string, Readonly<Record<string, unknown>>>()
  const taken: { readonly path: string; readonly id: string; readonly item: Readonly<Record<string, unknown>> }[] = []
  const state: { answer: Answer | null; again: number } = { answer: null, again: 0 }

  const faultOf = ({ method, path }: Asked, item: Readonly<Record<string, unknown>>): string | null => {
    const kind = kinds[path as keyof typeof kinds]
    if (!kind[0].safeParse(item).success) return 'bad_param'
    const deviceId = String(item['device_id'])
    if (path === '/vehicles') {
      if (method === 'POST' && vehicles.has(deviceId)) return 'already_registered'
      if (method === 'PUT' && !vehicles.has(deviceId)) return 'unregistered'
      vehicles.set(deviceId, item)
      return null
    }
    if (!vehicles.has(deviceId)) return 'unregistered'
    const id = String(item[kind[1]])
    if (taken.some((one) => one.path === path && one.id === id)) {
      state.again += 1
      return 'already_registered'
    }
    taken.push({ path, id, item })
    return null
  }
  const judge: Answer = (response, one) => {
    const failures = one.items.flatMap((item) => {
      const error = faultOf(one, item)
      return error === null ? [] : [{ item, error, error_description: 'refused' }]
    })
    const success = one.items.length - failures.length
    response
      .writeHead(success === 0 ? 400 : 201, { 'content-type': mdsJson })
      .end(JSON.stringify({ success, total: one.items.length, failures }))
  }

  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (part: Buffer) => (text += part.toString()))
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request
      if (headers.authorization !== `Bearer ${token}`) return void response.writeHead(401).end()
      if (headers['content-type'] !== mdsJson) return void response.writeHead(406).end()
      const one = { method, path: path.replace('/mds', ''), items: JSON.parse(text) as Asked['items'] }
      asked.push(one)
      ;(state.answer ?? judge)(response, one)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mds/`,
    asked,
    vehicles,
    taken,
    state,
    judge,
    of: (path: keyof typeof kinds) => taken.filter((one) => one.path === path).map(({ item }) => item),
  }
}
