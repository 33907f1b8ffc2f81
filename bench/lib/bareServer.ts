/** The reference: the panel's query, as one prepared statement, on Fastify with pg and nothing else. */
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import pg from 'pg'
import { panelStatement } from './panelStatement.ts'

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 })
const http = Fastify()
const { sql, valuesFor } = panelStatement()

http.get('/vehicle', async (request) => {
  const { number } = request.query as { number: string }
  const { rows } = await pool.query({ name: 'panel', text: sql, values: [...valuesFor(number)] })
  return { suc: true, data: rows[0] }
})

await http.listen({ port: 0, host: '127.0.0.1' })
process.send?.({ type: 'listening', url: `http://127.0.0.1:${(http.server.address() as AddressInfo).port}` })
