import { everyCall } from '@saddle/contract/endpoints.ts'
import { riderCalls } from '@saddle/contract/riderApi.ts'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { openApiFaults } from '#test/openApiLint.ts'
import { exampleOf, schemaOf } from './documentSchema.ts'
import { openApiDocument, openApiPage, riderApiDocument, riderInputExample } from './openapi.ts'
import { partnerApiDocument } from './partnerDocument.ts'
import { audiences, tryPage } from './tryPage.ts'

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

it("describes the calls of riders' applications alone, without a fault, with examples that fit", async () => {
  const document = riderApiDocument('1.0.0')
  expect(await openApiFaults(document)).toEqual([])
  const calls = Object.entries(everyCall).filter(([, row]) => row.permission === 'app')
  const operations = Object.values((document as unknown as Document).paths).flatMap((methods) => Object.values(methods))
  expect(operations).toHaveLength(calls.length)
  const misfits = calls.flatMap(([name, endpoint]) => {
    const answer = z.safeParse(endpoint.output, exampleOf(schemaOf(endpoint.output)))
    const input = z.safeParse(endpoint.input, riderInputExample(name, endpoint))
    return [...(input.error?.issues ?? []), ...(answer.error?.issues ?? [])].map(
      ({ path }) => `${name}: ${path.join('.')}`,
    )
  })
  expect(misfits).toEqual([])
})

it('has a page to try the calls of each audience on, with every call and message', () => {
  const documents = { partners: partnerApiDocument(), riders: riderApiDocument('1.0.0') }
  for (const [name, audience] of Object.entries(audiences)) {
    const document = documents[name as keyof typeof audiences]
    const { paths } = document as unknown as Document
    const page = tryPage({ document, audience, nonce: 'nonce', language: 'en' })
    for (const path of Object.keys(paths)) expect(page).toContain(`data-path="${path}"`)
    // Scripts and styles without the nonce would be refused by the browser.
    expect(page).not.toMatch(/<(?:script|style)(?! nonce)| style=| on\w+=/)
  }
})
