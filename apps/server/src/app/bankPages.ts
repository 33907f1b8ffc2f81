import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { AppError } from '@saddle/contract/errors.ts'
import { yuanText } from '@saddle/contract/money.ts'
import { businessTimeZone } from '@saddle/contract/time.ts'
import { bankMoodSchema, type BankCounterPage, type Finance } from '#finance/public.ts'
import { contentPolicy } from './headers.ts'
import { isFromThisMachine } from './transport.ts'

/** The longest message has a photo of papers, encrypted and in base64. */
const MAX_BODY_BYTES = 1_400_000
const MAX_FORM_BYTES = 4_096

/**
 * Where the bank tells what became of accounts and payments: sealed and signed, so no session is needed. In demo mode the
 * sandbox bank is served here too, as if it stood elsewhere: its services, and its pages for payment passwords.
 */
export function registerBank({ http, finance }: { http: FastifyInstance; finance: Pick<Finance, 'bank'> }): void {
  const { bank } = finance
  void http.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES }, (_request, body, done) =>
      done(null, body),
    )
    scope.post('/pay/notice/bank', async (request, reply) => {
      const isTaken = await bank.takeNotice(bytesOf(request.body))
      return reply
        .status(isTaken ? 200 : 400)
        .type('text/plain')
        .send(isTaken ? 'OK' : 'FAIL')
    })
    const { sandbox } = bank
    if (sandbox === null) return
    scope.post<{ Params: { service: string } }>('/sandbox/bank/api/:service', async (request, reply) => {
      const answer = sandbox.serve(request.params.service, bytesOf(request.body).toString('utf8'))
      return reply.status(answer.status).type('application/json').send(answer.body)
    })
    scope.put('/sandbox/bank', async (request, reply) => {
      if (!isFromThisMachine(request.raw)) throw new AppError('not_found')
      sandbox.setMood(moodOf(bytesOf(request.body)))
      return reply.status(204).send()
    })
  })
  if (bank.sandbox !== null) registerCounter(http, bank.sandbox)
}

const bytesOf = (body: unknown): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0))

function moodOf(body: Buffer): ReturnType<typeof bankMoodSchema.parse> {
  try {
    return bankMoodSchema.parse(JSON.parse(body.toString('utf8')))
  } catch (cause) {
    throw new AppError('bad_request', { values: { detail: 'mood' }, cause })
  }
}

type Sandbox = NonNullable<Finance['bank']['sandbox']>

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const style = `body{font:16px/1.7 system-ui,sans-serif;max-width:440px;margin:3rem auto;padding:0 1rem;color:#1f2329;background:#fff}
h1{font-size:1.25rem}label{display:block;margin:1rem 0 .25rem}
input{font:inherit;width:100%;box-sizing:border-box;padding:.5rem .75rem;border:1px solid #c9cdd4;border-radius:6px}
button{font:inherit;margin-top:1.5rem;width:100%;padding:.6rem;border:0;border-radius:6px;background:#1650d8;color:#fff;cursor:pointer}
dl{display:grid;grid-template-columns:auto 1fr;gap:.25rem 1rem;padding:1rem;background:#f2f3f5;border-radius:6px}
dt,small,time{color:#4e5969}dd{margin:0;font-variant-numeric:tabular-nums}.wrong{color:#b42318}ol{list-style:none;padding:0}
li{padding:.5rem 0;border-top:1px solid #e5e6eb}li time{display:block}`

function pageOf(title: string, body: string, nonce: string, isLive = false): string {
  const refresh = isLive ? '<meta http-equiv="refresh" content="3">' : ''
  return `<!doctype html><html lang="zh-CN"><meta charset="utf-8"><meta name="viewport" content="width=device-width">${refresh}
<title>${title}</title><style nonce="${nonce}">${style}</style><h1>${title}</h1>${body}
<p><small>沙箱银行：演示用的银行，不动用真实资金。</small></p></html>`
}

const field = (name: string, label: string, type = 'password'): string =>
  `<label for="${name}">${label}</label><input id="${name}" name="${name}" type="${type}" inputmode="numeric" pattern="\\d{6}" maxlength="6" required autocomplete="off">`

const formOf = (token: string, fields: string, button: string): string =>
  `<form method="post"><input type="hidden" name="t" value="${escaped(token)}">${fields}<button>${button}</button></form>`

function counterBody(token: string, page: BankCounterPage, wrong: string | null): string {
  const said = wrong === null ? '' : `<p class="wrong" role="alert">${escaped(wrong)}</p>`
  if (page.page === 'authorise') {
    const facts = `<dl><dt>付款账户</dt><dd>${escaped(page.name)}</dd><dt>收款银行卡</dt><dd>尾号 ${page.lastDigits}</dd><dt>金额</dt><dd>${yuanText(page.cents)} 元</dd></dl>`
    return facts + said + formOf(token, field('password', '支付密码'), '确认付款')
  }
  const proof = page.isReset ? field('proof', '短信验证码', 'text') : field('proof', '原支付密码')
  const fields = proof + field('password', '新支付密码（6 位数字）') + field('again', '再次输入新支付密码')
  return `<p>账户：${escaped(page.name)}</p>${said}${formOf(token, fields, '保存支付密码')}`
}

/** The bank's own pages: passwords are typed here and nowhere in the platform. */
function registerCounter(http: FastifyInstance, { counter, messages }: Sandbox): void {
  const titles = { password: '设置支付密码', authorise: '确认提现' } as const
  const show = (reply: FastifyReply, title: string, body: string, isLive = false) => {
    const nonce = randomBytes(16).toString('base64')
    return reply
      .header('content-security-policy', contentPolicy({ nonce, otherHosts: [], scriptHosts: [] }))
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(pageOf(title, body, nonce, isLive))
  }
  const gone = '<p class="wrong" role="alert">链接已失效，请回到原页面重新打开。</p>'
  void http.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: MAX_FORM_BYTES },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    )
    for (const name of ['password', 'authorise'] as const) {
      scope.get(`/sandbox/bank/${name}`, (request, reply) => {
        const token = new URL(request.url, 'http://bank').searchParams.get('t') ?? ''
        const page = counter.open(token)
        return show(reply, titles[name], page?.page === name ? counterBody(token, page, null) : gone)
      })
      scope.post(`/sandbox/bank/${name}`, (request, reply) => {
        const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
        const [token, proof, password] = ['t', 'proof', 'password'].map((key) => form.get(key) ?? '') as [
          string,
          string,
          string,
        ]
        const page = counter.open(token)
        if (page?.page !== name) return show(reply, titles[name], gone)
        const isSame = name === 'authorise' || password === form.get('again')
        const act = () =>
          name === 'authorise' ? counter.authorise(token, password) : counter.setPassword(token, { proof, password })
        const wrong = isSame ? act() : '两次输入的支付密码不一致'
        if (wrong !== null) return show(reply, titles[name], counterBody(token, page, wrong))
        const done = name === 'authorise' ? '已授权，请回到平台页面提交提现。' : '支付密码已保存，可以关闭本页。'
        return show(reply, titles[name], `<p role="status">${done}</p>`)
      })
    }
    // Codes and small sums: whoever reads them can bind cards, so only a browser on the machine itself may.
    scope.get('/sandbox/bank/messages', (request, reply) => {
      if (!isFromThisMachine(request.raw)) throw new AppError('not_found')
      const rows = messages().map(({ at, to, text }) => {
        const time = new Date(at).toLocaleString('zh-CN', { timeZone: businessTimeZone, hour12: false })
        return `<li><time>${time} · ${escaped(to)}</time>${escaped(text)}</li>`
      })
      const list = rows.length === 0 ? '<p>还没有消息。</p>' : `<ol>${rows.join('')}</ol>`
      return show(reply, '沙箱银行的短信、邮件与到账通知', list, true)
    })
  })
}
