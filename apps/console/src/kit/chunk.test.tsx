import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Chunk, ChunkLoadError, loadChunk } from './chunk.tsx'
import { overrideConfig } from './config.ts'

beforeEach(() => {
  sessionStorage.clear()
  overrideConfig({ build: 'b1' })
})
afterEach(() => {
  vi.useRealTimers()
  cleanup()
})

const gone = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'))

describe('loading a chunk', () => {
  test('that never comes ends after 120 s with a ChunkLoadError and without a reload', async () => {
    vi.useFakeTimers()
    const reload = vi.fn(() => {})
    const outcome = loadChunk(() => new Promise<never>(() => {}), { reload }).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(119_999)
    expect(vi.getTimerCount()).toBe(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(await outcome).toMatchObject({ name: 'ChunkLoadError' })
    expect(reload).not.toHaveBeenCalled()
  })

  test('that another build has replaced reloads once per build', async () => {
    const reload = vi.fn(() => {})
    const servedBuild = () => Promise.resolve('b3')
    await expect(loadChunk(gone, { reload, servedBuild })).rejects.toBeInstanceOf(ChunkLoadError)
    await expect(loadChunk(gone, { reload, servedBuild })).rejects.toBeInstanceOf(ChunkLoadError)
    expect(reload).toHaveBeenCalledOnce()
    overrideConfig({ build: 'b2' })
    await expect(loadChunk(gone, { reload, servedBuild })).rejects.toBeInstanceOf(ChunkLoadError)
    expect(reload).toHaveBeenCalledTimes(2)
  })

  test('that an outage withholds reloads nothing', async () => {
    const reload = vi.fn(() => {})
    for (const served of [null, 'b1']) {
      const servedBuild = () => Promise.resolve(served)
      await expect(loadChunk(gone, { reload, servedBuild })).rejects.toBeInstanceOf(ChunkLoadError)
    }
    expect(reload).not.toHaveBeenCalled()
  })
})

test('a failed page says so and tries again when asked', async () => {
  sessionStorage.setItem('xc__reloaded', 'b1')
  const load = vi.fn(() => Promise.resolve({ default: () => <p>运营地图</p> }))
  load.mockImplementationOnce(gone)
  render(<Chunk load={load} />)
  fireEvent.click(await screen.findByRole('button', { name: '重试' }))
  expect(await screen.findByText('运营地图')).toBeTruthy()
  expect(load).toHaveBeenCalledTimes(2)
})
