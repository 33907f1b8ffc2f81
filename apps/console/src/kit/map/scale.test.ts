import { expect, it } from 'vitest'
import { scaleFor } from './scale.ts'

it('picks a round distance that fits', () => {
  const city = scaleFor({ lat: 31.3, zoom: 13, maxPx: 90 })
  expect(city.metres).toBe(500)
  expect(city.px).toBeGreaterThan(50)
  expect(city.px).toBeLessThanOrEqual(90)
  for (let zoom = 2; zoom < 20; zoom += 0.25) {
    const { metres, px } = scaleFor({ lat: 31.3, zoom, maxPx: 90 })
    expect([1, 2, 5]).toContain(Number(String(metres)[0]))
    expect(px).toBeLessThanOrEqual(90)
    expect(px).toBeGreaterThan(30)
  }
})
