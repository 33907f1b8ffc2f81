import { everyCall } from '@saddle/contract/endpoints.ts'
import { riderCalls } from '@saddle/contract/riderApi.ts'
import { expect, it } from 'vitest'
import { openApiFaults } from '#test/openApiLint.ts'
import { openApiDocument, openApiPage } from './openapi.ts'

type Operation = { summary: string; security: unknown[]; parameters: { name: string; in: string }[] }
type Document = { paths: Record<string, Record<string, Operation>> }

it.each(['zh', 'en'] as const)('is a document without a fault (%s)', async (language) => {
  expect(await openApiFaults(openApiDocument('1.0.0', language))).toEqual([])
})

it('names every part of a path, and nothing twice', () => {
  const { paths } = openApiDocument('1.0.0', 'zh') as Document
  for (const [path, methods] of Object.entries(paths)) {
    for (const { parameters } of Object.values(methods)) {
      const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
      expect(inPath).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
      expect(new Set(parameters.map((parameter) => `${parameter.in} ${parameter.name}`)).size).toBe(parameters.length)
    }
  }
})

it("says in English what riders' applications may call", () => {
  const { paths } = openApiDocument('1.0.0', 'en') as Document
  for (const [name, { method, path }] of Object.entries(everyCall).filter(([, row]) => row.permission === 'app')) {
    const operation = paths[path]?.[method.toLowerCase()]
    expect(operation?.summary, name).not.toMatch(/\p{Script=Han}/u)
    expect(operation?.security).toEqual([{ appKey: [] }])
    expect(path.startsWith('/rider/v1/'), path).toBe(true)
  }
  expect(openApiPage('nonce', 'en')).toContain(riderCalls.unlockRide)
})
