import { act, fireEvent, render, renderHook, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { CornerText } from './CornerText.tsx'
import type { Corners } from './corners.ts'
import { polygonOf } from './sketch.ts'
import { useBoundary } from './useBoundary.ts'
import { useDrawKeys } from './useDrawKeys.ts'

const square: Corners = [
  [120, 31],
  [120.1, 31],
  [120.1, 31.1],
  [120, 31.1],
]

function useEditor() {
  const drawing = useBoundary(square)
  useDrawKeys({ drawing, onFinish: () => {} })
  return drawing
}

it('closes the ring, and steps back and forth', () => {
  const { result } = renderHook(() => useBoundary(square))
  expect(result.current.ring.at(-1)).toEqual(result.current.ring[0])
  act(() => result.current.setCorners(square.slice(0, 3)))
  expect(result.current.corners).toHaveLength(3)
  act(() => result.current.undo())
  expect(result.current.corners).toEqual(square)
  expect(result.current.isChanged).toBe(false)
  act(() => result.current.redo())
  expect(result.current.corners).toHaveLength(3)
})

it('removes the picked corner by a key, keeps three, and undoes it by a key', () => {
  const { result } = renderHook(useEditor)
  for (const left of [3, 3]) {
    act(() => result.current.pick({ line: 0, index: 0 }))
    fireEvent.keyDown(document.body, { key: 'Delete' })
    expect(result.current.corners).toHaveLength(left)
  }
  for (let step = 0; step < 2; step++) fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true })
  expect(result.current.corners).toEqual(square)
})

it('takes pasted corners, says what is wrong with them, and takes a circle only where one is allowed', () => {
  const onChange = vi.fn<(next: unknown) => void>()
  const { rerender } = render(
    <CornerText sketch={polygonOf(square)} datum="wgs84" allowsCircle={false} onChange={onChange} />,
  )
  const type = (value: string) => fireEvent.change(screen.getByRole('textbox'), { target: { value } })
  const apply = () => screen.getByRole('button', { name: '应用坐标' })
  type('120,31,50')
  expect(apply()).toHaveProperty('disabled', true)
  expect(screen.getByText(/至少三行；或粘贴 GeoJSON/)).toBeDefined()
  type('120,31\n120.2,31\n120.2,31.2')
  fireEvent.click(apply())
  expect(onChange).toHaveBeenLastCalledWith(
    polygonOf([
      [120, 31],
      [120.2, 31],
      [120.2, 31.2],
    ]),
  )
  rerender(<CornerText sketch={null} datum="wgs84" allowsCircle onChange={onChange} />)
  type('120,31,50')
  fireEvent.click(apply())
  expect(onChange).toHaveBeenLastCalledWith({ kind: 'circle', centre: [120, 31], radiusM: 50 })
})
