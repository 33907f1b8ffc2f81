import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import type { ShownPhoto } from '@saddle/contract/photos/photo.ts'
import { queryClient } from '#kit/query.ts'
import { photo } from './photo.fixture.ts'
import { PhotoStrip } from './PhotoStrip.tsx'
import { fitted } from './shrink.ts'

afterEach(cleanup)

const show = (load: () => Promise<ShownPhoto[]>, key: number, count: number) =>
  render(
    <QueryClientProvider client={queryClient}>
      <PhotoStrip load={load} of={['test', key]} count={count} />
    </QueryClientProvider>,
  )

it('opens a photo large and turns by the arrow keys, around both ends', async () => {
  // Fetched beforehand: how long a busy machine takes for it is not what is tested.
  await import('./PhotoDialog.tsx')
  show(async () => [photo(1), photo(2)], 1, 2)
  await userEvent.click(await screen.findByRole('button', { name: '放大第 2 张照片' }))
  const large = (number: number) => screen.findByRole('img', { name: `第 ${number} 张照片` })
  expect((await large(2)).getAttribute('src')).toBe('data:image/png;base64,AAA2')
  await userEvent.keyboard('{ArrowRight}')
  expect((await large(1)).getAttribute('src')).toBe('data:image/png;base64,AAA1')
  await userEvent.keyboard('{ArrowLeft}')
  await large(2)
})

it('fetches nothing where there is nothing, and can be asked again when it failed', async () => {
  const load = vi.fn<() => Promise<ShownPhoto[]>>().mockRejectedValueOnce(new Error('away'))
  show(load, 2, 0)
  expect(load).not.toHaveBeenCalled()
  load.mockResolvedValueOnce([photo(1)])
  show(load, 3, 1)
  await userEvent.click(await screen.findByRole('button', { name: '重试' }))
  await screen.findByRole('button', { name: '放大第 1 张照片' })
})

it('makes pictures smaller and never larger', () => {
  expect(fitted(4_000, 3_000)).toEqual({ width: 1_280, height: 960 })
  expect(fitted(300, 200)).toEqual({ width: 300, height: 200 })
  expect(fitted(20_000, 1)).toEqual({ width: 1_280, height: 1 })
})
