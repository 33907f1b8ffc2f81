/** What a NATS server sends that the bus needs, from the bytes of one connection. */
export type NatsMessage =
  | { readonly kind: 'info'; readonly info: Record<string, unknown> }
  | { readonly kind: 'message'; readonly payload: string }
  | { readonly kind: 'ping' | 'pong' }
  | { readonly kind: 'error'; readonly reason: string }

/** A line of the protocol, or a message, that is longer than any server sends. */
const maxLineBytes = 1_048_576
const maxPayloadBytes = 8_388_608
const newline = Buffer.from('\r\n')

/** What a server sends that is not its protocol. */
export class NatsError extends Error {
  override readonly name = 'NatsError'
}

/** Cuts the bytes of a connection into messages. Throws NatsError. */
export function createNatsReader() {
  let rest: Buffer = Buffer.alloc(0)
  /** Bytes of the payload that is awaited; null between messages. */
  let awaited: number | null = null

  const takePayload = (bytes: number): NatsMessage | null => {
    if (rest.length < bytes + newline.length) return null
    const payload = rest.toString('utf8', 0, bytes)
    rest = rest.subarray(bytes + newline.length)
    awaited = null
    return { kind: 'message', payload }
  }
  const next = (): NatsMessage | 'more' | 'nothing' => {
    if (awaited !== null) return takePayload(awaited) ?? 'more'
    const end = rest.indexOf(newline)
    if (end < 0) {
      if (rest.length > maxLineBytes) throw new NatsError('a line without an end')
      return 'more'
    }
    const line = rest.toString('utf8', 0, end)
    rest = rest.subarray(end + newline.length)
    const message = messageOf(line)
    if (typeof message !== 'number') return message ?? 'nothing'
    awaited = message
    return 'nothing'
  }
  return (chunk: Buffer): NatsMessage[] => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const messages: NatsMessage[] = []
    for (let one = next(); one !== 'more'; one = next()) if (one !== 'nothing') messages.push(one)
    return messages
  }
}

/** A message; the length of the payload that follows; null for a word of no consequence. */
function messageOf(line: string): NatsMessage | number | null {
  const [, word = '', words = ''] = /^(\S+)\s*(.*)$/.exec(line) ?? []
  switch (word.toUpperCase()) {
    case 'INFO':
      return { kind: 'info', info: JSON.parse(words) as Record<string, unknown> }
    case 'MSG': {
      // MSG <subject> <subscription> [reply-to] <bytes>
      const bytes = Number(words.split(/\s+/).at(-1))
      if (!Number.isSafeInteger(bytes) || bytes < 0 || bytes > maxPayloadBytes)
        throw new NatsError('a message without a length')
      return bytes
    }
    case 'PING':
      return { kind: 'ping' }
    case 'PONG':
      return { kind: 'pong' }
    case '-ERR':
      return { kind: 'error', reason: words.replaceAll("'", '') }
    case '+OK':
      return null
    default:
      throw new NatsError('not what a NATS server says')
  }
}

/** The user and password, or the token, that the address names. */
export function credentialsOf({ username, password }: URL): Record<string, string> {
  if (username === '') return {}
  if (password === '') return { auth_token: decodeURIComponent(username) }
  return { user: decodeURIComponent(username), pass: decodeURIComponent(password) }
}
