import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { generate } from 'openapi-typescript-codegen'
import { expect, it } from 'vitest'
import { riderApiDocument } from './openapi.ts'
import { partnerApiDocument } from './partnerDocument.ts'

const run = promisify(execFile)
const compiler = join(import.meta.dirname, '../../../../node_modules/typescript/bin/tsc')
const compilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: false,
  target: 'es2022',
  module: 'esnext',
  moduleResolution: 'bundler',
  lib: ['es2023', 'dom', 'dom.iterable'],
  types: [],
}

/** What the compiler says of a client that a common generator makes of a document. */
async function faultsOf(document: object): Promise<{ readonly faults: string; readonly services: readonly string[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'saddle-client-'))
  try {
    const input = structuredClone(document) as Record<string, unknown>
    await generate({ input, output: join(folder, 'client'), httpClient: 'fetch', useOptions: true })
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['client'] }))
    const faults = await run(process.execPath, [compiler, '-p', folder]).then(
      () => '',
      (err: unknown) => (err as { readonly stdout: string }).stdout,
    )
    return { faults, services: await readdir(join(folder, 'client', 'services')) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

it.each([
  ['partners', () => partnerApiDocument()],
  ["riders' applications", () => riderApiDocument('1.0.0')],
])('has a document for %s of which a generator makes a client that compiles', async (_audience, documentOf) => {
  const { faults, services } = await faultsOf(documentOf())
  expect(faults).toBe('')
  expect(services).not.toEqual([])
})

it('would see a client that does not compile', async () => {
  const answer = {
    description: 'a',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Gone' } } },
  }
  const document = {
    openapi: '3.1.0',
    info: { title: 'a', version: '1' },
    paths: { '/a': { get: { operationId: 'a', tags: ['a'], responses: { 200: answer } } } },
    components: { schemas: {} },
  }
  expect((await faultsOf(document)).faults).toContain('Gone')
})
