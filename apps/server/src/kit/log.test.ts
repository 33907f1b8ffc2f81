import { expect, test } from 'vitest'
import { createLog } from './log.ts'

function lineOf(say: (log: ReturnType<typeof createLog>) => void): Record<string, unknown> {
  const lines: string[] = []
  say(createLog({ level: 'info', destination: { write: (line: string) => void lines.push(line) } }))
  return JSON.parse(lines[0] ?? '') as Record<string, unknown>
}

test.each(['23505', '57P01', 'ECONNRESET', 'ERR_INVALID_URL'])('tells the code %s of a fault', (code) => {
  const fault = Object.assign(new Error('x'), { code })
  expect(lineOf((log) => log.error({ err: fault }))).toMatchObject({ err: { message: 'x', state: code } })
})

test('tells no code that was sent to a phone', () => {
  const fault = Object.assign(new Error('x'), { code: '123456' })
  expect(JSON.stringify(lineOf((log) => log.error({ err: fault })))).not.toContain('123456')
  expect(lineOf((log) => log.info({ code: '12345', sms: { code: 'ECONN' } }))).toMatchObject({
    code: '[redacted]',
    sms: { code: '[redacted]' },
  })
})
