import type { RunningServer } from './server.ts'

interface AppCall {
  readonly method: string
  readonly path: string
}
type Input = Readonly<Record<string, unknown>>

interface AppAnswer<T> {
  readonly status: number
  readonly body: { readonly data: T; readonly error?: { readonly code: string; readonly promot: string } }
}

/** A call of the riders' application with its key; the answer as it came. */
export async function sendAsApp<T>(
  server: Pick<RunningServer, 'url' | 'riderKey'>,
  { method, path }: AppCall,
  input: Input,
): Promise<AppAnswer<T>> {
  const isQuery = method === 'GET'
  const values = Object.entries(input).map(([name, value]) => [name, String(value)])
  const query = isQuery ? `?${new URLSearchParams(values).toString()}` : ''
  const response = await fetch(`${server.url}${path}${query}`, {
    method,
    headers: { 'x-api-key': server.riderKey(), ...(isQuery ? {} : { 'content-type': 'application/json' }) },
    ...(isQuery ? {} : { body: JSON.stringify(input) }),
  })
  return { status: response.status, body: (await response.json()) as AppAnswer<T>['body'] }
}

/** The same; throws where the platform refuses it. */
export async function askAsApp<T>(
  server: Pick<RunningServer, 'url' | 'riderKey'>,
  call: AppCall,
  input: Input,
): Promise<T> {
  const { status, body } = await sendAsApp<T>(server, call, input)
  if (status !== 200) throw new Error(`${call.path}: ${status} ${JSON.stringify(body.error)}`)
  return body.data
}
