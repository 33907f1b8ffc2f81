import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { liveSocketPath } from '@saddle/contract/constants.ts'
import { encodeLiveFrame, type ClientMessage, type LiveFrame } from '@saddle/contract/telemetry/live.ts'
import { checkTokenFits, verifyCallToken } from '@saddle/contract/wire/token.ts'
import { setSelection } from '#kit/session/scope.ts'
import type { FakePlatform } from '#test/fakePlatform.ts'
import { nodeCrypto } from '#test/nodeCrypto.ts'
import { logIn, nobodyLoggedIn, somebody, withPlatform } from '#test/session.ts'
import { liveSocket } from './socket.ts'

/** The browser's end of a connection; this test is the other end. */
class Line extends EventTarget {
  static readonly OPEN = 1
  static all: Line[] = []
  readyState = 0
  binaryType = ''
  readonly sent: ClientMessage[] = []
  readonly url: string

  constructor(url: string) {
    super()
    this.url = url
    Line.all.push(this)
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text) as ClientMessage)
  }
  close(): void {
    this.hangUp(1000)
  }
  open(): void {
    this.readyState = Line.OPEN
    this.dispatchEvent(new Event('open'))
  }
  say(data: unknown): void {
    const message = data instanceof ArrayBuffer ? data : JSON.stringify(data)
    this.dispatchEvent(new MessageEvent('message', { data: message }))
  }
  hangUp(code: number): void {
    if (this.readyState === 3) return
    this.readyState = 3
    this.dispatchEvent(Object.assign(new Event('close'), { code }))
  }
}

const bounds = { west: 1, south: 2, east: 3, north: 4 }
const ready = () => ({ type: 'ready', serverTime: Date.now() })
let platform: FakePlatform

const newestLine = async (count: number): Promise<Line> => {
  await vi.waitFor(async () => {
    await vi.advanceTimersByTimeAsync(100)
    expect(Line.all).toHaveLength(count)
  })
  return Line.all.at(-1)!
}

async function welcomed(): Promise<Line> {
  liveSocket.connect()
  const line = await newestLine(1)
  line.open()
  line.say(ready())
  return line
}

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] })
  Line.all = []
  vi.stubGlobal('WebSocket', Line)
  platform = await withPlatform()
  logIn(platform)
})
afterEach(() => {
  liveSocket.disconnect()
  liveSocket.setView(null)
  nobodyLoggedIn()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('the live socket', () => {
  test('says hello with a token bound to it, before anything else', async () => {
    const line = await welcomed()
    expect(line.url).toMatch(/^ws:.*\/ws\/live$/)
    const [hello] = line.sent
    if (hello?.type !== 'hello') throw new Error('no hello')
    const token = verifyCallToken({
      crypto: nodeCrypto,
      signingKey: platform.keys.signingKey,
      token: hello.token,
      nowMs: Date.now(),
      method: 'GET',
      path: liveSocketPath,
    })
    checkTokenFits(token, { crypto: nodeCrypto, params: undefined, idempotencyKey: undefined })
    expect(token.userId).toBe(somebody.objectId)
    expect(liveSocket.status.get().state).toBe('open')
  })

  test('asks for the view once it is welcome, and again after a reconnection', async () => {
    liveSocket.setView({ bounds, zoom: 12 })
    const line = await welcomed()
    expect(line.sent.slice(1)).toEqual([{ type: 'view', bounds, zoom: 12 }])
    line.hangUp(1006)
    expect(liveSocket.status.get().state).toBe('connecting')
    const second = await newestLine(2)
    second.open()
    second.say(ready())
    expect(second.sent.at(-1)).toEqual({ type: 'view', bounds, zoom: 12 })
  })

  test('hands frames and events on', async () => {
    const frames: LiveFrame[] = []
    const events: string[] = []
    const stops = [
      liveSocket.onFrame((frame) => frames.push(frame)),
      liveSocket.onEvent(({ type }) => events.push(type)),
    ]
    const line = await welcomed()
    const bytes = encodeLiveFrame({ kind: 'vehicles', snapshot: true, sequence: 1, upserts: [], removed: [7] })
    line.say(bytes.slice().buffer)
    line.say({ type: 'vehicle', vehicleId: 3 })
    line.say({ type: 'from the future' })
    for (const stop of stops) stop()
    expect(frames).toEqual([{ kind: 'vehicles', snapshot: true, sequence: 1, upserts: [], removed: [7] }])
    expect(events).toEqual(['ready', 'vehicle'])
  })

  test('a silent line is given up and replaced', async () => {
    const line = await welcomed()
    await vi.advanceTimersByTimeAsync(20_000)
    expect(line.sent.at(-1)).toEqual({ type: 'ping' })
    await vi.advanceTimersByTimeAsync(41_000)
    expect(line.readyState).toBe(3)
    await newestLine(2)
  })

  test('another selection is another hello', async () => {
    const line = await welcomed()
    setSelection({ agentIds: [3] })
    expect(line.readyState).toBe(3)
    await newestLine(2)
  })

  test('a refused session is told to who listens', async () => {
    const refused = vi.fn(() => {})
    const stop = liveSocket.onRefused(refused)
    const line = await welcomed()
    line.hangUp(1006)
    expect(refused).not.toHaveBeenCalled()
    const second = await newestLine(2)
    second.hangUp(4401)
    stop()
    expect(refused).toHaveBeenCalledOnce()
  })

  test('stays quiet when nobody wants it any more', async () => {
    const line = await welcomed()
    liveSocket.disconnect()
    expect(line.readyState).toBe(3)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(Line.all).toHaveLength(1)
    expect(liveSocket.status.get().state).toBe('idle')
  })
})
