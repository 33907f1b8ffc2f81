import type { ClientDeps } from './client.ts'

/** `fetch` for a program that is no browser: sends the cookies of a jar and keeps what answers set or delete. */
export const withCookies =
  (jar: Map<string, string>, send: typeof fetch = fetch): ClientDeps['fetch'] =>
  async (url, init) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { ...(cookie === '' ? {} : { cookie }), ...init.headers }
    const response = await send(url, { redirect: 'manual', ...init, headers })
    for (const line of response.headers.getSetCookie()) keep(jar, line)
    return response
  }

function keep(jar: Map<string, string>, line: string): void {
  const [pair = ''] = line.split(';')
  const mark = pair.indexOf('=')
  const value = decodeURIComponent(pair.slice(mark + 1))
  if (value === '' || /max-age=0/i.test(line)) jar.delete(pair.slice(0, mark))
  else jar.set(pair.slice(0, mark), value)
}
