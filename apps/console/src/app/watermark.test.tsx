import { afterEach, expect, test } from 'vitest'
import { keepWatermark, watermarkText, watermarkTile } from './watermark.ts'

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

const marks = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-watermark]')]
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0))

function keep(): void {
  ends.push(keepWatermark({ text: '请勿外传 平台 138000', colour: '#eee' }))
}

test('the text is the warning, the title and the phone from position 5 on', () => {
  expect(watermarkText({ webTitle: '共享出行运营平台', phone: '13812345678' })).toBe('请勿外传 共享出行运营平台 345678')
  expect(watermarkText({ webTitle: '平台', phone: '' })).toBe('请勿外传 平台')
})

test('a title cannot break out of the drawing', () => {
  const tile = decodeURIComponent(watermarkTile('<script>&"', '#eee'))
  expect(tile).not.toContain('<script>')
  expect(tile).toContain('&#60;script&#62;&#38;&#34;')
})

test('it lies over everything and lets clicks through', () => {
  keep()
  expect(marks()).toHaveLength(1)
  expect(marks()[0]?.style.zIndex).toBe('10000000')
  expect(marks()[0]?.style.pointerEvents).toBe('none')
})

test('it comes back when its node is deleted', async () => {
  keep()
  marks()[0]?.remove()
  await settled()
  expect(marks()).toHaveLength(1)
  marks()[0]?.remove()
  await settled()
  expect(marks()).toHaveLength(1)
})

test('it comes back when it is hidden by style or attribute', async () => {
  keep()
  const [mark] = marks()
  mark?.setAttribute('hidden', '')
  await settled()
  expect(marks()).toHaveLength(1)
  expect(marks()[0]?.hasAttribute('hidden')).toBe(false)
  marks()[0]?.style.setProperty('display', 'none')
  await settled()
  expect(marks()[0]?.style.display).toBe('')
})

test('it is turned by 30 degrees', () => {
  expect(decodeURIComponent(watermarkTile('平台', '#eee'))).toContain('rotate(30 ')
})

test('it ends', async () => {
  keep()
  ends.pop()?.()
  await settled()
  expect(marks()).toEqual([])
})
