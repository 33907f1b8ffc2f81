import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { inject } from 'vitest'
import { z } from 'zod'

const answerSchema = z.union([z.object({ url: z.string(), template: z.string() }), z.object({ error: z.string() })])

/** Address of the run's PostgreSQL, as owner, and its migrated template database. The first call starts it. */
export async function testCluster(): Promise<{ readonly url: string; readonly template: string }> {
  const socket = connect({ port: inject('testPostgresPort'), host: '127.0.0.1' })
  const answer = answerSchema.parse(JSON.parse(await text(socket)))
  if ('error' in answer) throw new Error(`The PostgreSQL of the tests did not start: ${answer.error}`)
  return answer
}
