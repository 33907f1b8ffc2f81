import { readFileSync } from 'node:fs'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { Button } from './Button.tsx'

afterEach(() => {
  cleanup()
  document.head.replaceChildren()
  delete document.documentElement.dataset['appearance']
})

const sheet = (path: string): string => readFileSync(`${import.meta.dirname}/${path}`, 'utf8')

/** Relative luminance of a colour of the sheets, `#rrggbb` or `rgb(…)` (WCAG 2.2). */
function luminanceOf(colour: string): number {
  const hex = /^#([0-9a-f]{6})$/i.exec(colour)?.[1]
  const parts = hex
    ? [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
    : (colour.match(/\d+/g) ?? []).slice(0, 3).map(Number)
  expect(parts, colour).toHaveLength(3)
  const [red = 0, green = 0, blue = 0] = parts.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrastOf(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((left, right) => right - left)
  return (light + 0.05) / (dark + 0.05)
}

test.each(['light', 'dark'])('a disabled button can be read in the %s theme, whatever its look', (appearance) => {
  document.documentElement.dataset['appearance'] = appearance
  const style = document.createElement('style')
  style.textContent = sheet('../theme/base.css') + sheet('plain.css')
  document.head.append(style)
  for (const look of ['primary', 'outline', 'quiet'] as const) {
    render(
      <Button look={look} disabled>
        {look}
      </Button>,
    )
    const { color, backgroundColor } = getComputedStyle(screen.getByRole('button', { name: look }))
    expect(contrastOf(color, backgroundColor), `${look}: ${color} on ${backgroundColor}`).toBeGreaterThan(4.5)
  }
})
