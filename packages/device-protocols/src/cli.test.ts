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

  it('explains a frame in hexadecimal digits, of either direction', () => {
    const up = run(
      'jt808',
      '7e0200002c00160128561400020000000000040001005de1f7065c6cef00000000000017011710044201040000a9002a02000030011b3101030c7e',
    )
    expect([up.status, up.stderr]).toEqual([0, ''])
    expect(JSON.parse(up.stdout)).toEqual({
      protocol: 'jt808',
      message: '0x0200',
      deviceId: '001601285614',
      reports: [
        {
          occurredAt: '2017-01-17T02:04:42.000Z',
          position: { lat: 6.152695, lng: 106.720495, speedKmh: 0, headingDeg: 0, altitudeM: 0, fix: false },
          signal: 27,
          odometerM: 4326400,
        },
      ],
      fields: {
        headerVersion: 2013,
        serial: 2,
        alarmBits: '0x00000000',
        statusBits: '0x00040001',
        ioBits: 0,
        satellites: 3,
        acc: true,
        doorsLocked: false,
      },
    })
    const down = JSON.parse(run('jt808', '7e8001000501391234567800050007020000b47e').stdout)
    expect(down).toMatchObject({
      message: '0x8001',
      reports: [],
      fields: { serial: 5, meaning: 'generalAnswer', answeredSerial: 7, answeredId: '0x0200', result: 0 },
    })
    const bad = run('jt808', '7e8001000501391234567800050007020000007e')
    expect([bad.status, bad.stdout, bad.stderr]).toEqual([1, '', 'the checksum is wrong\n'])
    expect(run('jt808', 'zz').stderr).toBe('the frame is not in hexadecimal digits\n')
  })

  it('explains a topic and its payload, quoted or not', () => {
    const topic = 'saddle/v1/861234567890123/up/report'
    const expected = {
      protocol: 'mqtt',
      message: 'report',
      deviceId: '861234567890123',
      reports: [
        {
          occurredAt: '2026-08-01T00:00:00.000Z',
          position: { lat: 30.5, lng: 120.25, speedKmh: 3, fix: true },
          batteryPercent: 64,
        },
      ],
      fields: { seq: 7, tyre: 'flat' },
    }
    const json = '{"at":1785542400000,"seq":7,"lat":30.5,"lng":120.25,"speedKmh":3,"batteryPercent":64, "tyre":"flat"}'
    expect(JSON.parse(run('mqtt', `${topic} ${json}`).stdout)).toEqual(expected)
    expect(JSON.parse(run('mqtt', topic, ...json.split(' ')).stdout)).toEqual(expected)
    expect(JSON.parse(run('mqtt', 'saddle/v1/861234567890123/config').stdout)).toMatchObject({
      message: 'config',
      fields: { cleared: true },
    })
    const bad = run('mqtt', `${topic} {"lat":91,"lng":0}`)
    expect([bad.status, bad.stdout, bad.stderr]).toEqual([1, '', 'lat is out of range\n'])
  })

  it('gives the reason on stderr and exit code 1', () => {
    const bad = run('omni', '*SCOR,OM,123456789123456,H0,7#')
    expect([bad.status, bad.stdout, bad.stderr]).toEqual([1, '', 'lock state is neither 0 nor 1\n'])
    const unknown = run('morse', '...')
    expect([unknown.status, unknown.stdout]).toEqual([1, ''])
    expect(unknown.stderr).toMatch(/unknown protocol "morse"; known: omni, jt808, mqtt/)
    expect(run('omni').status).toBe(1)
  })
})
