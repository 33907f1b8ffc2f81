import { createConfig, lintFromString } from '@redocly/openapi-core'

/** Faults of an OpenAPI document. It stands in a file of its own because the linter's types take seconds to check. */
export async function openApiFaults(document: unknown): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source: JSON.stringify(document), config })
  return problems.map(({ ruleId, message, location }) => `${ruleId} ${message} ${location[0]?.pointer}`)
}
