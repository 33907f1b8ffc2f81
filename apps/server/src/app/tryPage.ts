import type { Language } from '@saddle/contract/constants.ts'
import type { Json } from './documentSchema.ts'

type Operation = {
  readonly summary: string
  readonly description?: string
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly required: boolean
    readonly example?: unknown
    readonly schema: { readonly default?: unknown }
  }[]
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly example?: unknown } } }
  readonly responses: Readonly<
    Record<string, { readonly content?: { readonly 'application/json': { readonly example?: unknown } } }>
  >
}

/** Where a document is, and the header that its calls carry their key in. */
export interface Audience {
  readonly title: Readonly<Record<Language, string>>
  readonly documentPath: string
  readonly header: string
  /** What stands before the key. */
  readonly prefix: string
}

export const audiences = {
  partners: {
    title: { zh: '合作方接口', en: "The calls of partners' programs" },
    documentPath: '/partner/v1/openapi.json',
    header: 'Authorization',
    prefix: 'Bearer ',
  },
  riders: {
    title: { zh: '用户端应用接口', en: "The calls of riders' applications" },
    documentPath: '/rider/v1/openapi.json',
    header: 'X-Api-Key',
    prefix: '',
  },
} as const satisfies Readonly<Record<string, Audience>>

const words = {
  zh: {
    key: '密钥',
    intro: '填写密钥后可在本页直接调用；密钥只留在本页。机器可读：',
    send: '调用',
    example: '应答示例',
    message: '消息示例',
    waiting: '正在调用…',
    failed: '没有收到应答',
    webhooks: 'Webhook 消息',
  },
  en: {
    key: 'Key',
    intro: 'With a key the calls can be made from here; the key stays on this page. For programs: ',
    send: 'Call',
    example: 'Example of an answer',
    message: 'Example of a message',
    waiting: 'Calling…',
    failed: 'No answer came',
    webhooks: 'Messages of webhooks',
  },
} as const

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escape = (text: string): string => text.replace(/[&<>"]/g, (character) => escapes[character] ?? character)
const pretty = (value: unknown): string => escape(JSON.stringify(value, null, 2))

/** A page on which a person reads an OpenAPI document and tries its calls. */
export function tryPage(options: {
  readonly document: Json
  readonly audience: Audience
  readonly nonce: string
  readonly language: Language
}): string {
  const { document, audience, nonce, language } = options
  const says = words[language]
  const title = escape(audience.title[language])
  const calls = Object.entries(
    document['paths'] as Readonly<Record<string, Readonly<Record<string, Operation>>>>,
  ).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => callPart({ path, method, operation, language })),
  )
  const messages = Object.entries(
    (document['webhooks'] ?? {}) as Readonly<Record<string, { readonly post: Operation }>>,
  ).map(
    ([name, { post }]) =>
      `<details><summary><b>POST</b> <code>${escape(name)}</code><p>${escape(post.summary)}</p></summary>
<h3>${says.message}</h3><pre tabindex="0">${pretty(post.requestBody?.content['application/json'].example)}</pre></details>`,
  )
  const path = audience.documentPath
  return `<!doctype html><html lang="${language === 'zh' ? 'zh-CN' : 'en'}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title><style nonce="${nonce}">${style}</style></head>
<body data-header="${audience.header}" data-prefix="${audience.prefix}" data-waiting="${says.waiting}" data-failed="${says.failed}">
<main><h1>${title}</h1><p>${says.intro}<a href="${path}">${path}</a></p>
<p><label>${says.key} <input id="key" type="password" autocomplete="off" spellcheck="false"></label></p>
${calls.join('\n')}
${messages.length > 0 ? `<h2>${says.webhooks}</h2>${messages.join('\n')}` : ''}</main>
<script nonce="${nonce}">${script}</script></body></html>`
}

const wordOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

function callPart(call: {
  readonly path: string
  readonly method: string
  readonly operation: Operation
  readonly language: Language
}): string {
  const { path, method, operation, language } = call
  const says = words[language]
  const { parameters = [], requestBody, responses, summary, description = '' } = operation
  const fields = parameters.map(({ name, in: place, required, example, schema }) => {
    const value = place === 'header' ? '' : wordOf(required ? example : schema.default)
    return `<label>${escape(name)}${required ? ' *' : ''} <input name="${escape(name)}" data-in="${place}" value="${escape(value)}"${required && place !== 'header' ? ' required' : ''}></label>`
  })
  const body = requestBody?.content['application/json'].example
  const answer = responses['200']?.content?.['application/json'].example
  return `<details><summary><b>${method.toUpperCase()}</b> <code>${escape(path)}</code><p>${escape(summary)}</p></summary>
<p>${escape(description)}</p><form data-method="${method.toUpperCase()}" data-path="${escape(path)}">${fields.join('')}
${body === undefined ? '' : `<textarea aria-label="JSON" rows="8" spellcheck="false">${pretty(body)}</textarea>`}
<button>${says.send}</button><output hidden></output></form>
<h3>${says.example}</h3><pre tabindex="0">${pretty(answer)}</pre></details>`
}

const style = `
:root{color-scheme:light dark;--ink:#1f2329;--soft:#4a5667;--line:#dde2e9;--sunk:#f3f5f8;--paper:#fff;--accent:#0958d9}
@media (prefers-color-scheme:dark){:root{--ink:#e6ebf2;--soft:#b2bdcb;--line:#2a3340;--sunk:#0e131a;--paper:#161c25;--accent:#6aa5ff}}
body{margin:0;background:var(--paper);color:var(--ink);font:14px/1.6 system-ui,sans-serif}
main{max-width:960px;margin:2rem auto;padding:0 1rem}a,b{color:var(--accent)}
summary{cursor:pointer;padding:.5rem 0;border-top:1px solid var(--line);overflow-wrap:anywhere}summary p{margin:0;color:var(--soft)}
b{display:inline-block;min-width:4em}h3{margin:.5rem 0;font-size:14px}
form{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:end}label{display:grid;color:var(--soft)}
input,textarea,button{padding:.25rem .5rem;border:1px solid var(--line);border-radius:6px;background:var(--paper);color:var(--ink);font:inherit}
#key{box-sizing:border-box;width:100%;max-width:32rem}textarea{width:100%;box-sizing:border-box;font-family:ui-monospace,monospace}
button{border-color:var(--accent);color:var(--accent);cursor:pointer}output{width:100%}
pre{max-height:360px;margin:0 0 1rem;padding:.75rem;overflow:auto;background:var(--sunk);white-space:pre-wrap;overflow-wrap:anywhere}`

/** Makes the call of a form, and shows what came, and the same call as a command. */
const script = `
const say = (output, text) => {
  const pre = document.createElement('pre')
  pre.tabIndex = 0
  pre.textContent = text
  output.replaceChildren(pre)
  output.hidden = false
}
const quote = (text) => "'" + text.replaceAll("'", "'\\\\''") + "'"
document.addEventListener('submit', async (event) => {
  event.preventDefault()
  const form = event.target
  const { header, prefix, waiting, failed } = document.body.dataset
  const output = form.querySelector('output')
  say(output, waiting)
  const headers = { [header]: prefix + document.getElementById('key').value }
  const query = new URLSearchParams()
  let path = form.dataset.path
  for (const { name, value, dataset } of form.querySelectorAll('input')) {
    if (dataset.in === 'path') path = path.replace('{' + name + '}', encodeURIComponent(value))
    else if (dataset.in === 'header') headers[name] = value || crypto.randomUUID()
    else if (value !== '') query.set(name, value)
  }
  const area = form.querySelector('textarea')
  if (area) headers['Content-Type'] = 'application/json'
  const url = location.origin + path + (query.size > 0 ? '?' + query : '')
  const { method } = form.dataset
  const parts = ['curl -X ' + method, quote(url), ...Object.entries(headers).map(([name, value]) =>
    '-H ' + quote(name + ': ' + (name === header ? prefix + '…' : value)))]
  if (area) parts.push('-d ' + quote(area.value))
  const command = parts.join(' ') + '\\n\\n'
  try {
    const answer = await fetch(url, { method, headers, credentials: 'omit', body: area ? area.value : undefined })
    const text = await answer.text()
    let shown = text
    try { shown = JSON.stringify(JSON.parse(text), null, 2) } catch {}
    say(output, command + answer.status + '\\n' + shown)
  } catch {
    say(output, command + failed)
  }
})`
