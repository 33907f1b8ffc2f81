import { beforeAll, expect, it } from 'vitest'
import { exportEndpoints } from '@saddle/contract/exports/jobs.ts'
import type { Endpoint } from '@saddle/contract/endpoint.ts'
import { everyCall } from '@saddle/contract/endpoints.ts'
import { exportFormats } from '@saddle/contract/exported.ts'
import { calls, createWorld, endpointOf, type World } from './world.ts'
import { specimens } from './specimens/all.ts'
import type { SealedName } from './specimens/specimen.ts'

/** Every list of the contract that has a file, beside the call for its pages and that for its sums. */
const shapeOf = (endpoint: Endpoint): Readonly<Record<string, unknown>> =>
  (endpoint.input as { readonly shape?: Readonly<Record<string, unknown>> }).shape ?? {}
const filterOf = (endpoint: Endpoint): unknown => shapeOf(endpoint)['filter']
const files = calls.filter((name) => 'leftOut' in shapeOf(endpointOf(name)))
const paged = Object.entries(everyCall).filter(([, endpoint]) => 'pageSize' in shapeOf(endpoint))
const sharedStart = (left: string, right: string): number => {
  let length = 0
  while (length < left.length && left[length] === right[length]) length += 1
  return length
}
/** The call for pages of the same list: the one with the same filter and the most similar path. */
function pageOf(name: SealedName): Endpoint | undefined {
  const file = endpointOf(name)
  const found = paged.filter(([, endpoint]) => filterOf(endpoint) === filterOf(file)).map(([, endpoint]) => endpoint)
  const likeness = ({ path }: Endpoint): number => sharedStart(path, file.path) * 2 - path.length / 100
  return found.toSorted((left, right) => likeness(right) - likeness(left))[0]
}

let world: World
beforeAll(async () => {
  world = await createWorld()
})

it('every file of a list has its list', () => {
  expect(files.length).toBeGreaterThan(50)
  expect(files.filter((name) => pageOf(name) === undefined)).toEqual([])
})

it.each(files)('%s has the rows of its list, in both formats, and stands in the export centre', async (name) => {
  const { alpha, clients } = world
  const asked = specimens[name](alpha, '') as { readonly filter?: object }
  const filter = asked.filter ?? {}
  for (const client of [clients.manager, clients.root]) {
    const page = pageOf(name)
    if (page === undefined) throw new Error('a file without a list')
    // What is no list of the kit names its conditions beside each other.
    const question = 'filter' in shapeOf(page) ? { filter, pageSize: 200 } : { ...asked, pageSize: 50 }
    let rows = 0
    let cursor: string | number | undefined
    let refusal: string | undefined
    for (;;) {
      const input = { ...question, ...(cursor !== undefined && { cursor }) }
      const answer = await client.call(page, input)
      if (answer.status !== 200) {
        refusal = String(answer.status)
        break
      }
      const { data } = answer.body as { data: { list: unknown[]; nextCursor?: string | number | null } }
      rows += data.list.length
      if (data.nextCursor === null || data.nextCursor === undefined) break
      cursor = data.nextCursor
    }
    for (const format of exportFormats) {
      const answer = await client.call(endpointOf(name), { ...asked, format })
      if (refusal !== undefined) {
        expect(String(answer.status)).toBe(refusal)
        continue
      }
      expect(answer.status, JSON.stringify(answer.body)).toBe(200)
      const { data } = answer.body as { data: { exportId: string; rows: number; text: string; base64: string | null } }
      // The audit log has a line more with each file.
      const isAudit = name.endsWith('Logs')
      if (isAudit) expect(data.rows).toBeGreaterThanOrEqual(rows)
      else expect(data.rows, name).toBe(rows)
      const centre = await client.call(exportEndpoints.listOwnExports, { filter: { exportIds: [data.exportId] } })
      expect(centre.body).toMatchObject({ data: { list: [{ state: 'done', rows: data.rows, format }] } })
      const part = await client.call(exportEndpoints.readExportPart, { exportId: data.exportId, part: 0 })
      const bytes = Buffer.from((part.body as { data: { base64: string } }).data.base64, 'base64')
      const whole = data.base64 === null ? Buffer.from(data.text) : Buffer.from(data.base64, 'base64')
      expect(bytes.equals(whole.subarray(0, bytes.length))).toBe(true)
    }
  }
})
