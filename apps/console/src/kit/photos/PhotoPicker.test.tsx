import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { clearToasts, currentToasts } from '#kit/notify.ts'
import { PhotoPicker } from './PhotoPicker.tsx'
import type { PickedPhoto } from './shrink.ts'

// A canvas shrinks the pictures, and this environment has no canvas.
vi.mock('./shrink.ts', () => ({
  shrink: async (file: File): Promise<PickedPhoto> => {
    if (file.name.startsWith('broken')) throw new Error('no picture')
    return { key: file.name, name: file.name, base64: 'AAAA' }
  },
}))
beforeEach(clearToasts)
afterEach(cleanup)

const photo = (name: string): File => new File(['x'], name, { type: 'image/jpeg' })

function Picker({ max }: { readonly max: number }) {
  const [photos, setPhotos] = useState<readonly PickedPhoto[]>([])
  return <PhotoPicker value={photos} onChange={setPhotos} max={max} />
}

const shownNames = (): string[] => screen.queryAllByRole('img').map((image) => image.getAttribute('alt') ?? '')

it('adds photos up to the most, says so, and takes one out again', async () => {
  render(<Picker max={2} />)
  await userEvent.upload(screen.getByLabelText('选择照片'), [photo('a.jpg'), photo('b.jpg'), photo('c.jpg')])
  await waitFor(() => expect(shownNames()).toEqual(['a.jpg', 'b.jpg']))
  expect(currentToasts().map(({ text }) => text)).toEqual(['最多添加 2 张照片'])
  expect(screen.queryByLabelText('选择照片'), 'no place is left').toBeNull()
  await userEvent.click(screen.getByRole('button', { name: '移除第 1 张照片' }))
  expect(shownNames()).toEqual(['b.jpg'])
  await userEvent.upload(screen.getByLabelText('拍照'), photo('d.jpg'))
  await waitFor(() => expect(shownNames()).toEqual(['b.jpg', 'd.jpg']))
})

it('names a file that is no photo and keeps the others', async () => {
  render(<Picker max={3} />)
  await userEvent.upload(screen.getByLabelText('选择照片'), [photo('broken.jpg'), photo('a.jpg')])
  await waitFor(() => expect(shownNames()).toEqual(['a.jpg']))
  expect(currentToasts().map(({ text }) => text)).toEqual(['broken.jpg 不是可以识别的照片'])
})
