import { once } from 'node:events'
import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { closeAccount, openAccount } from './accountOpening.ts'
import { logIn, openSite, phones } from './browser.ts'

/** A name of the server: a port of its own that leads to it, as a proxy does. */
interface Name {
  readonly origin: string
  readonly leadTo: (port: number) => void
  readonly stop: () => Promise<void>
}

async function openName(host: string): Promise<Name> {
  const sockets = new Set<Socket>()
  let target = 0
  const server: Server = createServer((near) => {
    const far = connect(target, '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => sockets.delete(socket))
    }
    near.pipe(far).pipe(near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://${host}:${(server.address() as AddressInfo).port}`,
    leadTo: (port) => {
      target = port
    },
    stop: async () => {
      if (!server.listening) return
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}

const [desk, finance, python, user, map] = await Promise.all(
  ['console', 'finance', 'python', 'user', 'map'].map((name) => openName(`${name}.saddle.localhost`)),
)
if (!desk || !finance || !python || !user || !map) throw new Error('five names')
const site = openSite({
  env: {
    CONSOLE_ORIGINS: desk.origin,
    COOKIE_DOMAIN: 'saddle.localhost',
    HOST_FINANCE: finance.origin,
    HOST_PYTHON: python.origin,
    HOST_USER: user.origin,
    HOST_MAP: map.origin,
    ALLOW_HTTP: 'true',
  },
})
afterAll(async () => {
  for (const name of [desk, finance, python, user, map]) await name.stop()
})

test('people log in and work with each kind of call on a host of its own, and learn of a host that fails', async () => {
  const port = Number(new URL(site.server.url).port)
  for (const name of [desk, python, user, map]) name.leadTo(port)
  // Finance calls are answered by a process of their own.
  const financeHost = await site.server.startFinanceHost()
  finance.leadTo(Number(new URL(financeHost).port))
  const page = await site.newPage()
  const answered = new Map<string, Set<number>>()
  page.on('response', (response) => {
    const { origin, pathname } = new URL(response.url())
    if (response.request().method() === 'OPTIONS' || pathname.startsWith('/console/')) return
    answered.set(origin, (answered.get(origin) ?? new Set()).add(response.status()))
  })
  await page.goto(`${desk.origin}/console/#/login`)
  await logIn({ page, server: site.server, phone: phones.platform })
  await page.getByRole('navigation', { name: '主菜单' }).getByText('产品服务').waitFor()
  await page.goto(`${desk.origin}/console/#/electronic/parking-fence`)
  await page
    .getByRole('heading', { name: /停车点/ })
    .first()
    .waitFor()
  await expect.poll(() => [...(answered.get(map.origin) ?? [])]).toEqual([200])
  for (const { origin } of [user, finance]) expect([...(answered.get(origin) ?? [])], origin).toEqual([200])
  expect([...(answered.get(python.origin) ?? [200])]).toEqual([200])

  // A page of finance reads and writes by that process alone.
  await page.goto(`${desk.origin}/console/#/financial/SubAccountRule`)
  await page.getByLabel('现行规则').getByRole('combobox').waitFor()
  await page.goto(`${desk.origin}/console/#/financial/CostCenter`)
  await page.getByRole('heading', { name: '各加盟商' }).waitFor()
  expect([...(answered.get(finance.origin) ?? [])]).toEqual([200])
  expect((await fetch(`${financeHost}/console/`)).status).toBe(404)

  // A person's account is opened there: the papers go through that process to the bank of the server, and its answer comes back.
  const company = '青禾出行'
  await closeAccount(site.server, company)
  const owner = await site.newPage()
  await owner.goto(`${desk.origin}/console/#/login`)
  await logIn({ page: owner, server: site.server, phone: phones.manager })
  await owner.goto(`${desk.origin}/console/#/account`)
  const uploads: string[] = []
  owner.on('request', (request) => {
    if (request.url().includes('/Pay/')) uploads.push(new URL(request.url()).origin)
  })
  await openAccount(owner, {
    company,
    isPerson: true,
    details: { 姓名: '周以宁', 身份证号: '320500198805061234', 手机号: '13800006688' },
    papers: ['身份证人像面', '身份证国徽面'],
  })
  expect(new Set(uploads)).toEqual(new Set([finance.origin]))

  // The same session, the same cookies, and a foreign page: the browser withholds the answer from it.
  const outsider = await page.context().newPage()
  await outsider.goto(`${map.origin}/healthz`)
  const seen = await outsider.evaluate(
    (address) =>
      fetch(address, { credentials: 'include' }).then(
        () => 'read',
        () => 'kept back',
      ),
    `${finance.origin}/healthz`,
  )
  expect(seen).toBe('kept back')

  await finance.stop()
  await page.goto(`${desk.origin}/console/#/log`)
  await page.reload()
  await page.getByText('财务服务无法连接，产品服务暂不可用').waitFor()
})
