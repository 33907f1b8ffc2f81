import { describe, expect, it } from 'vitest'
import { gcj02Of, wgs84Of } from './gcj02.ts'

describe('gcj02Of', () => {
  it.each([
    ['Shanghai', [121.5272106, 31.1774276], [121.531541859215, 31.17530398364597]],
    ['Shenzhen', [113.912316, 22.543847], [113.9171764808363, 22.540796131694766]],
    ['Beijing', [116.377817, 39.911954], [116.38404722455657, 39.91334545536069]],
  ] as const)('shifts %s as its provider does', (_, [lng, lat], [toLng, toLat]) => {
    const place = gcj02Of({ lng, lat })
    expect(place.lng).toBeCloseTo(toLng, 6)
    expect(place.lat).toBeCloseTo(toLat, 6)
  })

  it('leaves places outside of China where they are', () => {
    const paris = { lng: 2.35, lat: 48.85 }
    expect(gcj02Of(paris)).toEqual(paris)
  })

  it('is undone to less than a millimetre', () => {
    for (const place of [
      { lng: 120.69, lat: 31.26 },
      { lng: 87.6, lat: 43.8 },
      { lng: 2.35, lat: 48.85 },
    ]) {
      const back = wgs84Of(gcj02Of(place))
      expect(back.lng).toBeCloseTo(place.lng, 8)
      expect(back.lat).toBeCloseTo(place.lat, 8)
    }
  })
})
