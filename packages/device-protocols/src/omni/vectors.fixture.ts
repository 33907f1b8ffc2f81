/** Published example frames of the protocol with what their documentation says they mean. */
export const omniVectors: { frame: string; expect: { [name: string]: unknown } }[] = [
  {
    frame: '*SCOR,OM,123456789123456,Q0,412,80,28#',
    expect: { instruction: 'Q0', voltageV: 4.12, batteryPercent: 80, signal: 28 },
  },
  {
    frame: '*SCOR,OM,123456789123456,H0,0,412,28,80,0#',
    expect: { instruction: 'H0', locked: false, voltageV: 4.12, signal: 28, batteryPercent: 80, charging: false },
  },
  {
    frame: '*SCOR,OM,123456789123456,H0,1,380,20,55,1#',
    expect: { instruction: 'H0', locked: true, voltageV: 3.8, signal: 20, batteryPercent: 55, charging: true },
  },
  {
    frame: '*SCOR,OM,123456789123456,D0,0,124458.00,A,2237.7514,N,11408.6214,E,6,0.21,151216,10,M,A#',
    expect: {
      instruction: 'D0',
      located: true,
      lat: 22.62919,
      lng: 114.14369,
      timeUtc: Date.parse('2016-12-15T12:44:58Z'),
      satellites: 6,
      hdop: 0.21,
      altitudeM: 10,
    },
  },
  {
    frame: '*SCOR,OM,867584030387299,D0,1,012102.00,A,0608.00062,S,10659.70331,E,12,0.69,151118,30.3,M,A#',
    expect: {
      instruction: 'D0',
      located: true,
      lat: -6.133344,
      lng: 106.995055,
      timeUtc: Date.parse('2018-11-15T01:21:02Z'),
      satellites: 12,
      hdop: 0.69,
      altitudeM: 30.3,
    },
  },
  {
    frame: '*SCOR,OM,123456789123456,D0,0,033724.00,V,,,,,,,120517,,,N#',
    expect: { instruction: 'D0', located: false },
  },
  {
    frame: '*SCOR,OM,123456789123456,R0,0,55,1234,1497689816#',
    expect: { instruction: 'R0', operation: 0, key: 55, userId: 1234, timestamp: 1497689816 },
  },
  {
    frame: '*SCOR,OM,123456789123456,L0,0,1234,1497689816#',
    expect: { instruction: 'L0', result: 0, userId: 1234, timestamp: 1497689816, locked: false },
  },
  {
    frame: '*SCOR,OM,123456789123456,L1,0,1234,1497689816,3#',
    expect: { instruction: 'L1', result: 0, userId: 1234, timestamp: 1497689816, ridingTimeMin: 3, locked: true },
  },
  {
    frame: '*SCOR,OM,123456789123456,S6,80,3,221,0,372,372,0,28,100,5000#',
    expect: {
      instruction: 'S6',
      batteryPercent: 80,
      speedMode: 3,
      speedKmh: 22.1,
      charging: false,
      battery1V: 37.2,
      battery2V: 37.2,
      locked: false,
      signal: 28,
      tripM: 1000,
      odometerM: 50000,
    },
  },
  { frame: '*SCOR,OM,123456789123456,W0,1#', expect: { instruction: 'W0', alarm: 1 } },
  { frame: '*SCOR,OM,123456789123456,W0,2#', expect: { instruction: 'W0', alarm: 2 } },
  {
    frame: '*SCOR,OM,123456789123456,G0,110,Jul 4 2018,1101,1101,1101,,,,#',
    expect: { instruction: 'G0', firmware: '110', buildDate: 'Jul 4 2018' },
  },
  { frame: '*SCOR,OM,123456789123456,L5,1,0#', expect: { instruction: 'L5', operation: 1, result: 0 } },
  { frame: '*SCOR,OM,123456789123456,U1,100,8A#', expect: { instruction: 'U1', packet: 100, deviceType: '8A' } },
  { frame: '*SCOR,OM,123456789123456,E0,262#', expect: { instruction: 'E0', code: 262 } },
]
