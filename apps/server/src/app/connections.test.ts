import { EventEmitter } from 'node:events'
import type { Server } from 'node:net'
import { expect, it } from 'vitest'
import { boundConnections, connectionLimits } from './connections.ts'

class Line extends EventEmitter {
  readonly remoteAddress: string
  isDestroyed = false
  constructor(remoteAddress: string) {
    super()
    this.remoteAddress = remoteAddress
  }
  destroy(): void {
    this.isDestroyed = true
    this.emit('close')
  }
}

function world(trustProxy: Parameters<typeof boundConnections>[1]['trustProxy']) {
  const server = new EventEmitter()
  boundConnections(server as unknown as Server, { trustProxy })
  return (address: string): Line => {
    const line = new Line(address)
    server.emit('connection', line)
    return line
  }
}

it('takes so many lines of one network, and of others still', () => {
  const connect = world(false)
  const lines = Array.from({ length: connectionLimits.perAddress }, (_, index) =>
    connect(`2001:db8::${(index + 1).toString(16)}`),
  )
  expect(lines.some((line) => line.isDestroyed)).toBe(false)
  expect(connect('2001:db8::ffff').isDestroyed).toBe(true)
  expect(connect('198.51.100.5').isDestroyed).toBe(false)
  lines[0]?.destroy()
  expect(connect('2001:db8::ffff').isDestroyed).toBe(false)
})

it('counts no lines of a proxy of ours', () => {
  const connect = world(['192.0.2.1'])
  const lines = Array.from({ length: connectionLimits.perAddress + 10 }, () => connect('192.0.2.1'))
  expect(lines.some((line) => line.isDestroyed)).toBe(false)
})

it('hears of a line that breaks, whatever has become of it', () => {
  const line = world(false)('198.51.100.5')
  line.emit('error', new Error('reset'))
  expect(line.isDestroyed).toBe(true)
})
