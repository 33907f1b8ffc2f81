import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'

const cli = new URL('./cli.ts', import.meta.url).pathname
const run = (...words: string[]) => spawnSync(process.execPath, [cli, ...words], { encoding: 'utf8' })

describe('decode', () => {
  it('explains a frame as one JSON object', () => {
    const { status, stdout, stderr } = run(
      'omni',
      '*SCOR,OM,123456789123456,D0,0,124458.00,A,2237.7514,N,11408.6214,E,6,0.21,151216,10,M,A#',
    )
    expect(stderr).toBe('')
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      protocol: 'omni',
      message: 'D0',
      deviceId: '123456789123456',
      reports: [
        {
          occurredAt: '2016-12-15T12:44:58.000Z',
          position: { lat: 22.62919, lng: 114.14369, altitudeM: 10, fix: true },
        },
      ],
      fields: { header: 'SCOR', vendor: 'OM', trigger: 0, satellites: 6, hdop: 0.21, mode: 'A' },
    })
  })

  it('leaves absent values out and puts the rest under fields', () => {
    expect(JSON.parse(run('omni', '*SCOR,OM,123456789123456,Q0,412,80,28#').stdout).reports).toEqual([
      { position: null, batteryPercent: 80, voltageV: 4.12, signal: 28 },
    ])
    expect(JSON.parse(run('omni', '*SCOR,OM,123456789123456,L1,3,7,9,2#').stdout)).toMatchObject({
      message: 'L1',
      reports: [],
      fields: { result: 3, userId: 7, timestamp: 9, ridingTimeMin: 2 },
    })
    expect(JSON.parse(run('omni', '*SCOR,OM,123456789123456,K0,abc#').stdout)).toMatchObject({
      message: 'K0',
      fields: { extra: ['abc'] },
    })
  })

  it('gives the reason on stderr and exit code 1', () => {
    const bad = run('omni', '*SCOR,OM,123456789123456,H0,7#')
    expect([bad.status, bad.stdout, bad.stderr]).toEqual([1, '', 'lock state is neither 0 nor 1\n'])
    const unknown = run('morse', '...')
    expect([unknown.status, unknown.stdout]).toEqual([1, ''])
    expect(unknown.stderr).toMatch(/unknown protocol "morse"; known: omni/)
    expect(run('omni').status).toBe(1)
  })
})
