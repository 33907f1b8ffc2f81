import { everyCall } from '@saddle/contract/endpoints.ts'
import { liveSocketPath } from '@saddle/contract/constants.ts'
import { mutate, type Draw, type Opening } from './opening.ts'

const oddUrls = [
  '//',
  '///x',
  '/%',
  '/%00',
  '/%ff%fe',
  '/assets/',
  '/assets/../../etc/passwd',
  '/assets/%2e%2e/%2e%2e/',
  '/tiles/',
  '/tiles/99/-1/x.pbf',
  '/tiles/0/0/0.pbf%00',
  '*',
  'http://',
  'http://[::1',
  'http://a:b@c:99999/',
  '//[',
  '\\\\x',
  '/?%',
  '/?a=%ZZ&a[]=1&__proto__[x]=1',
  '/console/%c0%ae%c0%ae/',
  '/constructor',
  '/__proto__',
  '/docs/../outbox',
  '/openapi.json?x=' + 'y'.repeat(2_000),
  '/pay/callback/wechat',
  '/pay/callback/alipay',
  '/pay/callback/__proto__',
  '/pay/sandbox/xx',
  '/pay/sandbox/%00',
  '/metrics',
  '/readyz',
  '/healthz?' + '&'.repeat(500),
]
const calls = Object.values(everyCall).map(({ method, path }) => ({ method, path }))
const oddValues = [
  '-1',
  '0',
  '1e309',
  '9'.repeat(40),
  'NaN',
  '%00',
  '%',
  '%F0%28',
  '..',
  '%2e%2e',
  '__proto__',
  "'--",
  '🛵',
]
const methods = [
  'GET',
  'POST',
  'PUT',
  'DELETE',
  'HEAD',
  'OPTIONS',
  'PATCH',
  'TRACE',
  'CONNECT',
  'PROPFIND',
  'SEARCH',
  'M-SEARCH',
]
const oddMethods = ['', 'get', 'GE T', 'G'.repeat(300), 'PRI', '\0', 'ÜBER']
const versions = [
  'HTTP/1.1',
  'HTTP/1.1',
  'HTTP/1.1',
  'HTTP/1.0',
  'HTTP/0.9',
  'HTTP/2.0',
  'HTTP/1.',
  'HTTP/11',
  'http/1.1',
  '',
]
const types = [
  'application/json',
  'application/json; charset=utf-16',
  'application/jsonx',
  'text/plain',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'application/x-www-form-urlencoded',
  'image/jpeg',
  '/',
  '',
]

function oddHeader(draw: Draw): string {
  return draw.one<() => string>([
    () => `Host: ${draw.one(['', ' ', 'a b', '[::1', 'x'.repeat(500), 'a:99999', '%00', 'evil.example'])}`,
    () => `Content-Length: ${draw.one(['-1', '0x10', '1e3', '99999999999999999999', '5, 6', '', '+4'])}`,
    () => `Transfer-Encoding: ${draw.one(['chunked', 'chunked, chunked', 'gzip', 'identity', ' chunked', 'xchunked'])}`,
    () => `Expect: ${draw.one(['100-continue', '200-ok', ''])}`,
    () => `Range: bytes=${draw.one(['0-', '-1', '5-2', '0-0,1-1,2-2', '9999999999-', 'x'])}`,
    () =>
      `Cookie: ${draw.one(['sid=', 'sid=%', '_t=' + 'x'.repeat(300), '__Host-sid=a;;;=', '=', 'sid=a; sid=b', '__proto__=1'])}`,
    () =>
      `Authorization: ${draw.one(['Bearer', 'Bearer ', 'Bearer a.b.c', 'Bearer ' + 'e'.repeat(4_000), 'Basic eA==', '\u00ff'])}`,
    () => `X-Api-Key: ${draw.one(['', 'x', 'k'.repeat(1_000), '%00', '__proto__'])}`,
    () => `X-Forwarded-For: ${draw.one(['127.0.0.1', 'x', '::1, 10.0.0.1', ',,,', '1'.repeat(500)])}`,
    () => `X-Forwarded-Proto: ${draw.one(['https', 'x', ','])}`,
    () => `Idempotency-Key: ${draw.one(['', 'x'.repeat(500), '%', '\u0001'])}`,
    () => `Accept-Language: ${draw.one(['en', '*;q=2', ',,,', 'zh-'.repeat(200)])}`,
    () => `If-None-Match: ${draw.one(['*', '"', 'W/""', '"' + 'x'.repeat(999)])}`,
    () => `If-Modified-Since: ${draw.one(['0', 'Thu, 99 Foo 0000', '-1'])}`,
    () => `Accept-Encoding: ${draw.one(['gzip;q=9', 'br,,', 'x'.repeat(200)])}`,
    () => `Origin: ${draw.one(['null', 'http://', 'http://[', '//', 'https://evil.example'])}`,
    () => `Connection: ${draw.one(['close', 'upgrade', 'keep-alive, close', ',', 'HTTP2-Settings'])}`,
    () => `Upgrade: ${draw.one(['websocket', 'h2c', '', 'TLS/1.0'])}`,
    () => `${draw.one(['', ' ', 'a b', 'x\0', '__proto__', 'Constructor'])}: 1`,
    () => `X: ${'y'.repeat(draw.below(9_000))}`,
    () => draw.bytes(20).toString('latin1'),
  ])()
}

function oddBody(draw: Draw): Buffer {
  return draw.one<() => Buffer>([
    () => Buffer.alloc(0),
    () => Buffer.from('{'),
    () => Buffer.from('{"a":1}}'),
    () => Buffer.from('null'),
    () => Buffer.from('"\\ud800"'),
    () => Buffer.from('{"__proto__":{"x":1},"constructor":{"prototype":{}}}'),
    () => Buffer.from('['.repeat(1 + draw.below(5_000))),
    () => Buffer.from(`{"phone":${'9'.repeat(300)},"code":1e999}`),
    () => Buffer.from('{"phone":"\\u0000","x":"\u0000"}'),
    () => Buffer.from(JSON.stringify({ params: draw.bytes(40).toString('base64') })),
    () => Buffer.from(JSON.stringify({ params: { a: [] }, lat: 1e308, lng: -0, id: 2 ** 53, at: 8.64e15 + 1 })),
    () => Buffer.from([0xff, 0xfe, 0x7b, 0x00]),
    () => draw.bytes(draw.below(200)),
    () => Buffer.from('a=1&a=2&%=%'),
    () => Buffer.from('--x\r\nContent-Disposition: form-data; name="file"; filename="a\r\n'),
  ])()
}

function urlOf(draw: Draw, path: string): string {
  const filled = path.replaceAll(/\{\w+\}/g, () => draw.one(oddValues))
  return draw.chance(0.4)
    ? `${filled}?${draw.one(['id', 'page', 'a[b]', '', '__proto__'])}=${draw.one(oddValues)}`
    : filled
}

/** A request that Node can read, whose URL, headers or body nobody should send; the connection lives on. */
function wellFramed(draw: Draw): Buffer {
  const call = draw.chance(0.6) ? draw.one(calls) : { method: draw.one(methods.slice(0, 7)), path: draw.one(oddUrls) }
  const method = draw.chance(0.8) ? call.method : draw.one(methods.slice(0, 7))
  const url = urlOf(draw, call.path).replaceAll(/[^\x21-\x7e]/g, '%')
  const body = method === 'GET' || method === 'HEAD' ? Buffer.alloc(0) : oddBody(draw)
  const odd = Array.from({ length: draw.below(3) }, () => oddHeader(draw)).filter(
    // These would change where the next request begins.
    (header) =>
      /^[\w-]+: [\x20-\x7e]*$/.test(header) &&
      !/^(?:host|content-length|transfer-encoding|expect|connection|upgrade)/i.test(header),
  )
  const head = [
    `${method} ${url} HTTP/1.1`,
    'Host: 127.0.0.1',
    ...(body.length > 0 ? [`Content-Type: ${draw.one(types)}`] : []),
    `Content-Length: ${body.length}`,
    ...odd,
  ]
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), body])
}

function manyRequests(draw: Draw): Opening {
  const count = 1 + draw.below(30)
  const requests = Array.from({ length: count }, () => wellFramed(draw))
  return { kind: 'http requests', listener: 'http', writes: [Buffer.concat(requests)], ending: ending(draw), count }
}

function brokenRequest(draw: Draw): Opening {
  const url = draw.chance(0.5) ? draw.one(oddUrls) : urlOf(draw, draw.one(calls).path)
  const method = draw.chance(0.2) ? draw.one(oddMethods) : draw.one(methods)
  const lines = [
    `${method} ${url} ${draw.one(versions)}`,
    ...Array.from({ length: draw.below(5) }, () => oddHeader(draw)),
  ]
  const lineEnd = draw.chance(0.9) ? '\r\n' : draw.one(['\n', '\r', '\r\n\t'])
  const body = oddBody(draw)
  const whole = Buffer.concat([Buffer.from(`${lines.join(lineEnd)}${lineEnd}${lineEnd}`, 'latin1'), body])
  const bytes = draw.chance(0.3) ? mutate(draw, whole, Buffer.from('\r\n: \0/?')) : whole
  return { kind: 'http request', listener: 'http', writes: cut(draw, bytes), ending: ending(draw), count: 1 }
}

function brokenChunks(draw: Draw): Opening {
  const { path } = draw.one(calls.filter(({ method }) => method === 'POST'))
  const size = draw.one(['5', 'zz', '-1', 'ffffffffffffffff', '5;x="', '0', '00000000000000000005', ''])
  const bytes = Buffer.from(
    `POST ${urlOf(draw, path).replaceAll(/[^\x21-\x7e]/g, '%')} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${size}\r\n{"a":\r\n${draw.one(['0\r\n\r\n', '0\r\nx: y\r\n\r\n', '', '5\r\n'])}`,
    'latin1',
  )
  return { kind: 'http chunks', listener: 'http', writes: cut(draw, bytes), ending: ending(draw), count: 1 }
}

/** An upgrade that should not succeed, or one that does and is followed by what no WebSocket says. */
function upgrade(draw: Draw): Opening {
  const isRight = draw.chance(0.6)
  const path = isRight
    ? liveSocketPath
    : draw.one([...oddUrls, `${liveSocketPath}/`, `${liveSocketPath}?%`, `//${liveSocketPath}`])
  const header = (name: string, right: string, wrong: readonly string[]): string =>
    `${name}: ${isRight || draw.chance(0.7) ? right : draw.one(wrong)}`
  const lines = [
    `${isRight || draw.chance(0.9) ? 'GET' : draw.one(methods)} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    header('Connection', 'Upgrade', ['Upgrade, Upgrade', 'keep-alive', '']),
    header('Upgrade', 'websocket', ['h2c', 'WebSocket, foo', '']),
    header('Sec-WebSocket-Version', '13', ['12', '0', '13, 8', '']),
    header('Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ==', ['', 'x', '=', 'A'.repeat(500)]),
    ...(draw.chance(0.2)
      ? [
          `Sec-WebSocket-Extensions: ${draw.one(['permessage-deflate; client_max_window_bits=99', ';;', 'x; x="', ','])}`,
        ]
      : []),
    ...(draw.chance(0.2) ? [`Sec-WebSocket-Protocol: ${draw.one([',', 'a b', '', 'x'.repeat(300)])}`] : []),
    ...(draw.chance(0.2) ? [`Origin: ${draw.one(['http://', 'http://[', 'null', '//', 'https://evil.example'])}`] : []),
  ]
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  const frames = Array.from({ length: draw.below(4) }, () => oddFrame(draw))
  return {
    kind: 'websocket',
    listener: 'http',
    writes: draw.chance(0.3) ? [Buffer.concat([head, ...frames])] : [head, ...frames],
    ending: ending(draw),
    count: 1,
  }
}

function oddFrame(draw: Draw): Buffer {
  const isMasked = draw.chance(0.85)
  const opcode = draw.chance(0.7) ? draw.one([0, 1, 1, 1, 2, 8, 9, 10]) : draw.below(16)
  const payload = draw.one<() => Buffer>([
    () => Buffer.from('{}'),
    () => Buffer.from('{"type":"hello","token":"a.b.c"}'),
    () => Buffer.from('{"type":"view","bounds":[1e999,null]}'),
    () => Buffer.from('['.repeat(draw.below(3_000))),
    () => Buffer.from([0xc3, 0x28]),
    () => Buffer.from([0x03, draw.below(256), 0xff]),
    () => draw.bytes(draw.below(300)),
    () => Buffer.alloc(draw.one([0, 125, 126, 70_000])),
  ])()
  const claimed = draw.chance(0.85) ? payload.length : draw.one([0, 1, 126, 65_536, 2 ** 40])
  const first = (draw.chance(0.85) ? 0x80 : 0) | (draw.chance(0.9) ? 0 : 0x40 >> draw.below(3)) | opcode
  const mask = isMasked ? draw.bytes(4) : Buffer.alloc(0)
  const bit = isMasked ? 0x80 : 0
  let length: Buffer
  if (claimed < 126) length = Buffer.from([bit | claimed])
  else if (claimed < 65_536) length = Buffer.from([bit | 126, claimed >> 8, claimed & 255])
  else {
    length = Buffer.alloc(9)
    length[0] = bit | 127
    length.writeBigUInt64BE(BigInt(claimed) | (draw.chance(0.1) ? 1n << 63n : 0n), 1)
  }
  const body = isMasked ? payload.map((byte, index) => byte ^ mask[index % 4]!) : payload
  return Buffer.concat([Buffer.from([first]), length, mask, body])
}

/** In two parts, cut anywhere, or never finished. */
function cut(draw: Draw, bytes: Buffer): Buffer[] {
  if (draw.chance(0.7)) return [bytes]
  const at = draw.below(bytes.length + 1)
  return draw.chance(0.5) ? [bytes.subarray(0, at)] : [bytes.subarray(0, at), bytes.subarray(at)]
}

const ending = (draw: Draw): Opening['ending'] => (draw.chance(0.25) ? 'reset' : 'end')

export function httpOpening(draw: Draw): Opening {
  return draw.one([manyRequests, manyRequests, manyRequests, brokenRequest, brokenChunks, upgrade, upgrade])(draw)
}
