import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { AppError } from '@saddle/contract/errors.ts'
import { businessTimeZone } from '@saddle/contract/time.ts'
import type { Kit } from '#kit/kit.ts'
import type { Identity } from '#identity/public.ts'
import { contentPolicy } from './headers.ts'
import { isFromThisMachine } from './transport.ts'

interface OutboxOptions {
  readonly http: FastifyInstance
  readonly kit: Kit
  readonly outbox: Identity['outbox']
}

/**
 * The messages that the local outbox kept, for trying the platform out: only in demo mode, and only for a browser on
 * the machine itself, since whoever reads it can log in as anybody.
 */
export function registerOutboxPage({ http, kit, outbox }: OutboxOptions): void {
  if (outbox === null || !kit.config.demo) return
  http.get('/outbox', (request, reply) => {
    if (!isFromThisMachine(request.raw)) throw new AppError('not_found')
    const nonce = randomBytes(16).toString('base64')
    const rows = outbox.recent().map((message) => {
      const time = new Date(message.sentAt).toLocaleTimeString('zh-CN', { timeZone: businessTimeZone, hour12: false })
      return `<li><time>${time}</time> <span>${message.phone}</span> <b>${message.code}</b></li>`
    })
    const list =
      rows.length === 0
        ? '<p>还没有短信。在登录页点“发送验证码”，验证码会出现在这里。</p>'
        : `<ol>${rows.join('')}</ol>`
    return reply
      .header('content-security-policy', contentPolicy({ nonce, otherHosts: [], scriptHosts: [] }))
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(`<!doctype html><html lang="zh-CN"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="3"><title>演示短信箱</title><style nonce="${nonce}">
body{font:16px/1.7 system-ui,sans-serif;max-width:480px;margin:3rem auto;padding:0 1rem;color:#1f2329}
ol{list-style:none;padding:0}li{display:flex;gap:1rem;padding:.5rem 0;border-top:1px solid #e5e6eb;font-variant-numeric:tabular-nums}
time,p{color:#5c6370}b{margin-left:auto;letter-spacing:.1em}
</style><h1>演示短信箱</h1>${list}</html>`)
  })
}
