import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { endpoints } from '@saddle/contract/endpoints.ts'
import { queryClient } from '#kit/query.ts'
import { logIn, withPlatform } from '#test/session.ts'
import { RoadSearch } from './RoadSearch.tsx'

const bounds = { west: 120.7, south: 31.25, east: 120.71, north: 31.29 }

beforeEach(async () => {
  const platform = await withPlatform()
  logIn(platform)
  platform.on(endpoints.findRoads, (input) => {
    const { keyword } = input as { keyword: string }
    return { suc: true, data: { list: '人民路'.includes(keyword) ? [{ name: '人民路', bounds }] : [] } }
  })
})

afterEach(() => {
  cleanup()
  queryClient.clear()
})

it('shows where a road is that was found by a part of its name', async () => {
  const onFound = vi.fn<(found: unknown) => void>()
  render(
    <QueryClientProvider client={queryClient}>
      <RoadSearch onFound={onFound} />
    </QueryClientProvider>,
  )
  const field = screen.getByRole('combobox', { name: '查找道路' })
  fireEvent.mouseDown(field)
  expect(screen.getByText('输入道路名称的一部分')).toBeTruthy()
  fireEvent.change(field, { target: { value: '没有' } })
  expect(await screen.findByText('没有找到这条道路')).toBeTruthy()
  fireEvent.change(field, { target: { value: '人民' } })
  fireEvent.click(await screen.findByTitle('人民路'))
  expect(onFound).toHaveBeenCalledWith(bounds)
})
