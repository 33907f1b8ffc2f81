import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { isSignedBy } from './webhookSignature.ts'

const secret = 'saddle_wh_key'
const text = '{"id":"1"}'
const nowMs = 1_800_000_000_000
const sign = (key: string, seconds = nowMs / 1_000) =>
  createHmac('sha256', key).update(`${seconds}.${text}`).digest('hex')

it('knows a message by its key, its text and its time, and takes either of two signatures', () => {
  const signature = `t=${nowMs / 1_000},v1=${sign('another')},v1=${sign(secret)}`
  const asked = { secret, signature, text, nowMs }
  expect(isSignedBy(asked)).toBe(true)
  expect(isSignedBy({ ...asked, text: '{"id":"2"}' })).toBe(false)
  expect(isSignedBy({ ...asked, secret: 'third' })).toBe(false)
  expect(isSignedBy({ ...asked, nowMs: nowMs + 299_000 })).toBe(true)
  expect(isSignedBy({ ...asked, nowMs: nowMs + 301_000 })).toBe(false)
  for (const wrong of ['', 't=1', `v1=${sign(secret)}`]) expect(isSignedBy({ ...asked, signature: wrong })).toBe(false)
})
