import { expect, onTestFinished, test, vi } from 'vitest'
import { demoLogins } from '#demo/people.ts'
import { loadConfig } from '#kit/config.ts'
import { createLog } from '#kit/log.ts'
import { greet, riskySettings, warnOfRisks } from './greeting.ts'

const heard = (work: (options: { log: ReturnType<typeof createLog>; print: (text: string) => void }) => void) => {
  const lines: string[] = []
  let printed = ''
  const log = createLog({ level: 'info', destination: { write: (line) => void lines.push(line) } })
  work({ log, print: (text) => void (printed += text) })
  return { lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>), printed }
}

test('outside of the demo standard output carries the log alone', () => {
  const written = vi.spyOn(process.stdout, 'write')
  onTestFinished(() => written.mockRestore())
  const errors = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  onTestFinished(() => errors.mockRestore())
  const config = loadConfig({ PUBLIC_URL: 'https://city.example' })
  const { lines } = heard(({ log }) =>
    greet({ config, log, url: 'http://localhost:8080', devicePorts: { omni: 9680 } }),
  )
  expect(written).not.toHaveBeenCalled()
  expect(errors).toHaveBeenCalledWith(expect.stringContaining('https://city.example'))
  expect(lines).toMatchObject([{ msg: 'listening', address: 'https://city.example', devicePorts: { omni: 9680 } }])
})

test('the demo tells a person where to go', () => {
  const config = loadConfig({ DEMO: 'true' })
  const { printed } = heard((to) =>
    greet({ config, url: 'http://localhost:8080', devicePorts: { omni: 9680 }, demoLogins, ...to }),
  )
  expect(printed).toContain('http://localhost:8080/outbox')
})

test('settings that leave the platform open are said aloud at the start', () => {
  expect(riskySettings(loadConfig({ DEMO: 'true' }), true)).toEqual([])
  expect(riskySettings(loadConfig({ DEMO: 'false' }), false)).toEqual([expect.stringContaining('SMS_PROVIDER=outbox')])
  expect(riskySettings(loadConfig({ DEMO: 'false' }), true)).toContainEqual(expect.stringContaining('runs as root'))
  const config = loadConfig({ DEMO: 'true', ALLOW_HTTP: 'true' })
  const { lines, printed } = heard(({ log, print }) => warnOfRisks({ config, log, warn: print }))
  expect(lines).toMatchObject([{ level: 40, msg: expect.stringContaining('ALLOW_HTTP=true') as string }])
  expect(printed).toMatch(/^WARNING: ALLOW_HTTP=true/)
})
